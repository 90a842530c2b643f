"""What is trained and measured: the plan, one run of it, what a run records, what jobs need."""
