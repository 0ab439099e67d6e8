"""The executable claims, a module for each model."""
