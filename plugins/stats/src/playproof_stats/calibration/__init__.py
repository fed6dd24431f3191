"""Calibration: what judges, or a run's own checks, said, against what people said and against what is known beforehand."""
