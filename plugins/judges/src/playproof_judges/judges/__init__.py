"""Judges: each asks models about stored evidence and gives an opinion that cites it.

    precedence   what a piece of evidence is worth beside another
    pictures     pictures and sampled frames, scaled and encoded anew
    fence        foreign text, marked as data
    tampering    text that speaks to a judge, found without a model
    exhibits     evidence as the parts of a request, within a budget
    prompts      versioned prompt texts, with their digests
    schemas      replies held against the JSON Schema that was asked for
    asking       one question, one repair, and less where too much was sent
    prompted     what the judges of one request share: `vision`, `rating`, `trajectory`
    inspection   the read-only tools of the `inspector`
    panel, pairwise, inspector
"""
