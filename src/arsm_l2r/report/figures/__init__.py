"""The figures, each in a file of its own."""
