"""Formulas and rules as printed and as corrected; readings and faults by name."""
