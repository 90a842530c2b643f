#!/usr/bin/env python3
"""Train one method on one fold of a data set, and score its validation and test documents.

Interrupted and started again, it goes on from its checkpoint and ends with the same result.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.command import run, use_threads
from arsm_l2r.experiments.gpus import gpus_of_job, require_gpu, whereabouts
from arsm_l2r.experiments.slurm_tasks import start_tasks


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--dataset", help="its data set: parts of another are refused")
    parser.add_argument("--fold", type=int, required=True, help="number of the fold, from 1")
    parser.add_argument("--method", required=True, help="name of the method, such as arsm-l2r")
    parser.add_argument(
        "--ranker", help="its class, as module:Class or file.py:Class (default: the method's)"
    )
    parser.add_argument("--code", help="version of the code to record (default: computed)")
    parser.add_argument(
        "--extensions", type=Path, nargs="*", default=[], help="Python files to load first"
    )
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--settings",
        type=_mapping,
        default={},
        help="the method's settings, as JSON; also relevant_from, if the data set has another than "
        "1: the lowest label that counts as relevant",
    )
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--gpus",
        type=int,
        help="how many GPUs to train on, as many as the setting workers says: fail if there is "
        "none, unless the environment variable ARSM_L2R_ALLOW_CPU is 1; 0: on the CPU; default: on "
        "a GPU if there is one",
    )
    parser.add_argument("--checkpoint", type=Path, required=True, help="file to go on from")
    parser.add_argument("--checkpoint-every", type=int, help="epochs (default: the ranker's)")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        help="folder for model.npz, history.parquet, vali.scores, test.scores and run.json",
    )
    arguments = parser.parse_args()
    start_tasks(arguments.settings.get("workers", 1), gpus=bool(arguments.gpus))
    use_threads(arguments.threads)
    print_advice_as_lines()

    with gpus_of_job(arguments.gpus):
        print(f"On {whereabouts()}", file=sys.stderr)
        if arguments.gpus and os.environ.get("ARSM_L2R_ALLOW_CPU") != "1":
            require_gpu()

        from arsm_l2r.experiments.code_versions import training_code
        from arsm_l2r.experiments.layout import RunFiles
        from arsm_l2r.experiments.run import Job, ranker_class, train_and_score
        from arsm_l2r.extensions import load_extensions
        from arsm_l2r.letor.store import read_fold

        own = load_extensions(arguments.extensions)
        settings = {"relevant_from": 1, **arguments.settings}
        relevant_from = settings.pop("relevant_from")
        ranker = arguments.ranker or _of_method(arguments.method, own)
        job = Job(
            method=arguments.method,
            ranker=ranker,
            settings=settings,
            relevant_from=relevant_from,
            seed=arguments.seed,
            threads=arguments.threads,
            code=arguments.code or training_code(ranker_class(ranker), settings),
            checkpoint=arguments.checkpoint,
            checkpoint_every=arguments.checkpoint_every,
            files=RunFiles(arguments.output),
        )
        train_and_score(read_fold(arguments.parts, arguments.fold, arguments.dataset), job)
    print(f"Done: {arguments.output}", file=sys.stderr)


def _mapping(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError(f"must be a JSON object, not {text[:60]}")
    return found


def _of_method(method: str, extensions: list[ModuleType]) -> str:
    from arsm_l2r.errors import ConfigError
    from arsm_l2r.experiments.methods import add_methods, known_methods
    from arsm_l2r.source_code import reference

    for module in extensions:
        add_methods(module)

    if method not in known_methods():
        raise ConfigError(f"no method {method!r}; there are {', '.join(known_methods())}")
    return reference(known_methods()[method].ranker)


if __name__ == "__main__":
    run(main)
