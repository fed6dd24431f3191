"""The examiners that core brings: Python scripts, a command's test report, and rubrics over evidence."""
