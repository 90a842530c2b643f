#!/usr/bin/env python3
"""Time what a user waits for before anything is done: imports, help and small commands.

Each runs in a process of its own, in turn, several times; the least time of each is told, that of
an empty Python included.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from arsm_l2r.command import run

PYTHON, COMMAND = sys.executable, str(Path(sys.executable).parent / "arsm-l2r")
CASES = {
    "python, nothing imported": [PYTHON, "-c", "pass"],
    "import arsm_l2r": [PYTHON, "-c", "import arsm_l2r"],
    "arsm-l2r --help": [COMMAND, "--help"],
    "arsm-l2r train --help": [COMMAND, "train", "--help"],
    "from arsm_l2r import ARSMRanker": [PYTHON, "-c", "from arsm_l2r import ARSMRanker"],
    "from lightgbm import LGBMRanker": [PYTHON, "-c", "from lightgbm import LGBMRanker"],
    "import tensorflow": [PYTHON, "-c", "import tensorflow"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="default: %(default)s")
    times = parser.parse_args().times
    least = dict.fromkeys(CASES, float("inf"))
    for _ in range(times):
        for title, command in CASES.items():
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            least[title] = min(least[title], time.perf_counter() - started)
    for title, seconds in least.items():
        print(f"{title:<34}{seconds:>7.2f} s")


if __name__ == "__main__":
    run(main)
