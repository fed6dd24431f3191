"""Agreement: rates, Krippendorff's alpha, Gwet's AC1 and AC2, intraclass correlations, preferences, and where variance comes from."""
