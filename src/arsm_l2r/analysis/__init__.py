"""From measured values to comparisons, tests and verdicts: numbers and words, computed once."""
