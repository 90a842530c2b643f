#!/usr/bin/env python3
"""Write down the configuration that results are made with, for all who read them."""

import argparse
import json
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.files import write_json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--content", type=json.loads, required=True, help="all of it, as JSON")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    arguments = parser.parse_args()
    write_json(arguments.output, arguments.content)


if __name__ == "__main__":
    run(main)
