"""The methods that the paper compares with, and LambdaMART; each with `fit` and `predict`."""
