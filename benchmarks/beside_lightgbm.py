#!/usr/bin/env python3
"""Put `ARSMRanker()` and `LGBMRanker()` side by side, both with their defaults, on one fold.

Each is fitted in a process of its own, on one core: with nothing compiled before, once more with
what that left on disk, and once more in the same process. Times are those of `fit`; memory is the
peak of the whole process. Quality is that of the test documents, which nothing was chosen by.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arsm_l2r.command import run, use_threads
from arsm_l2r.errors import UserError

CASES = {
    "LGBMRanker()": "lightgbm",
    "LGBMRanker(), 1,000 trees, early stopping": "lightgbm-stopped",
    "ARSMRanker()": "arsm",
    "ARSMRanker(), compiled before": "arsm",
    "ARSMRanker(), second fit in a process": "arsm-twice",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--fold", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        print(json.dumps(measured(arguments)))
        return
    with tempfile.TemporaryDirectory() as programs:
        found = {title: in_new_process(case, programs) for title, case in CASES.items()}
    print(f"{'one core':<44}{'fit':>9}{'process':>9}{'memory':>10}{'NDCG@10':>9}{'MAP':>8}")
    for title, values in found.items():
        print(
            f"{title:<44}{values['fit']:>7.1f} s{values['process']:>7.1f} s"
            f"{values['memory']:>7.0f} MB{values['ndcg@10']:>9.4f}{values['map']:>8.4f}"
        )


def in_new_process(case: str, programs: str) -> dict[str, float]:
    """What `measured` says in a process that has done nothing else, on one core."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *sys.argv, "--case", case],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "ARSM_L2R_CACHE": programs},
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    )
    if done.returncode:
        raise UserError(f"{case} failed")
    return {**json.loads(done.stdout), "process": time.perf_counter() - started}


def measured(arguments: argparse.Namespace) -> dict[str, float]:
    use_threads(1)
    import lightgbm

    from arsm_l2r import ARSMRanker
    from arsm_l2r.letor.store import read_fold
    from arsm_l2r.metrics import LETOR, Judgements, evaluate, means

    fold = read_fold(arguments.parts, arguments.fold)
    train, vali, test = fold.train, fold.vali, fold.test
    options = {}
    if arguments.case.startswith("arsm"):
        ranker = ARSMRanker(threads=1)
    elif arguments.case == "lightgbm":
        ranker = lightgbm.LGBMRanker(n_jobs=1, verbose=-1)
    else:
        ranker = lightgbm.LGBMRanker(n_jobs=1, verbose=-1, n_estimators=1000)
        options = {
            "callbacks": [lightgbm.early_stopping(100, verbose=False)],
            "eval_at": [10],
        }
    for _ in range(2 if arguments.case == "arsm-twice" else 1):
        started = time.perf_counter()
        ranker.fit(
            train.features,
            train.labels,
            group=train.group,
            eval_set=[(vali.features, vali.labels)],
            eval_group=[vali.group],
            **options,
        )
        seconds = time.perf_counter() - started
    judgements = Judgements(test.labels, test.group)
    found = means(evaluate(ranker.predict(test.features), judgements, LETOR))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"fit": seconds, "memory": peak, **found}


if __name__ == "__main__":
    run(main)
