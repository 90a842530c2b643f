"""Training of networks on queries: batches, steps, selection, checkpoints."""
