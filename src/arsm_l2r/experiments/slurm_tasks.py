"""The tasks of one training in a SLURM job that was submitted for several."""

import os
import sys

VARIABLE = "ARSM_L2R_SRUN"
"""1 in jobs that Snakemake has submitted to SLURM, and that have as many tasks as workers."""


def start_tasks(workers: int, *, gpus: bool) -> None:
    """Run this program again as every task of the job, if it has several; then don't return.

    The program does it, rather than the command of the rule: a changed command would train
    everything again.

    Args:
        workers: how many tasks to start.
        gpus: whether each gets a GPU.
    """
    if workers == 1 or os.environ.get(VARIABLE) != "1":
        return
    del os.environ[VARIABLE]  # the tasks are not to do the same
    command = [
        *("srun", f"--ntasks={workers}", "--cpus-per-task=1", "--distribution=block"),
        # When one task fails, the others wait for it in vain.
        "--kill-on-bad-exit=1",
        *(["--gpus-per-task=1"] if gpus else []),
    ]
    print(f"{' '.join(command)} …", file=sys.stderr, flush=True)
    os.execvp(command[0], [*command, sys.executable, *sys.argv])
