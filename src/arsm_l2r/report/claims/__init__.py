"""The paper's sentences, each put to the test: one module per claim."""
