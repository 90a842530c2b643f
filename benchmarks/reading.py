#!/usr/bin/env python3
"""What it costs to compare stored parts with their checksums: reading a fold with and without.

python benchmarks/reading.py --parts data/mq2007/parts
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from arsm_l2r.letor import store


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--rounds", type=int, default=60, help="default: %(default)s")
    arguments = parser.parse_args()

    def compared() -> None:
        store.read_fold(arguments.parts, 1)

    sums = [line.rpartition(" ")[0] for line in (arguments.parts / store.SUMS).open()]

    def unchecked() -> None:
        with (
            mock.patch.object(store, "_checksum", side_effect=sums),
            mock.patch.object(store._Stored, "_compare"),
        ):
            store.read_fold(arguments.parts, 1)

    times: dict[Callable[[], None], list[float]] = {compared: [], unchecked: []}
    for _ in range(arguments.rounds):
        for read, taken in times.items():
            started = time.perf_counter()
            read()
            taken.append(time.perf_counter() - started)
    checked, plain = min(times[compared]), min(times[unchecked])
    print(f"reading a fold: {1e3 * checked:.1f} ms, without comparing {1e3 * plain:.1f} ms")
    print(f"comparing costs {checked / plain - 1:.1%}")


if __name__ == "__main__":
    main()
