"""LETOR data: fetch, parse, validate, store, and read back as folds."""
