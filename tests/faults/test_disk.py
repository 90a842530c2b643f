"""A full disk, an output that cannot be written: one line that names it, in every program."""

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.files import write_json, written_whole

pytestmark = pytest.mark.slow

RUN = "results/synthetic/fold1/adarank-map/seed0"
PARTS = "data/synthetic/parts"
COMMAND = str(Path(sys.executable).parent / "arsm-l2r")
LETOR = "data/synthetic/text/Fold1/test.txt"


def programs(out: str) -> dict[str, list[str]]:
    """Every program that writes a file, with `out` as the folder that it writes to."""
    scripts = {
        "generate_synthetic": ["--output", f"{out}/synthetic.zip"],
        "fetch": ["--dataset", "synthetic", "--output", f"{out}/text"],
        "prepare": [
            *("--dataset", "synthetic", "--text", "data/synthetic/text"),
            *("--output", f"{out}/parts"),
        ],
        "describe": [
            *("--dataset", "synthetic", "--parts", PARTS, "--output", f"{out}/data.json"),
        ],
        "train": [
            *("--parts", PARTS, "--fold", "1", "--method", "adarank-map"),
            *("--settings", '{"rounds": 1}'),
            *("--checkpoint", f"{out}/state", "--output", f"{out}/run"),
        ],
        "evaluate": [
            *("--parts", PARTS, "--fold", "1", "--vali-scores", f"{RUN}/vali.scores"),
            *("--test-scores", f"{RUN}/test.scores"),
            *("--measures", f"{out}/m.parquet", "--summary", f"{out}/s.json"),
        ],
        "collect_fold": [
            *("--dataset", "synthetic", "--fold", "1", "--runs", f"{RUN}/run.json"),
            *("--summaries", f"{RUN}/summary.json", "--output", f"{out}/fold1.json"),
        ],
        "write_configuration": ["--content", "{}", "--output", f"{out}/configuration.json"],
    }
    found = {name: [f"scripts/{name}.py", *arguments] for name, arguments in scripts.items()}
    small = ["--epochs", "1", "--hidden", "2", "--levels", "2"]
    found["arsm-l2r train"] = [COMMAND, "train", LETOR, "--model", f"{out}/model", *small]
    return found


RESULTS = {
    "analyse": ["scripts/analyse.py", "--dataset", "synthetic"],
    "tables": ["scripts/tables.py", "--table", "synthetic"],
    "figures": ["scripts/figures.py", "--dataset", "synthetic"],
    "claims": ["scripts/claims.py", "--claims", "highest"],
    "report": ["scripts/report.py"],
}
"""Programs that write below the results that they read."""


def run(project: Path, arguments: list[str], *, full: bool) -> subprocess.CompletedProcess[str]:
    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        preexec_fn=no_room if full else None,
    )


def told(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of an error, or nothing if there was another ending."""
    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    wrong = done.returncode != 1 or "Traceback" in done.stderr or len(lines) != 1
    return "" if wrong else lines[0]


@pytest.fixture
def project(finished_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished_once, tmp_path / "project"))


def test_a_full_disk_is_one_line_of_every_program(project: Path) -> None:
    every = programs("out") | {
        name: [*words, "--results", "results"] for name, words in RESULTS.items()
    }
    failures = {}
    for name, arguments in every.items():
        before = {path: path.read_bytes() for path in project.rglob("results/**/*.json")}
        done = run(project, arguments, full=True)
        # Programs that draw want a folder for what Matplotlib keeps, too.
        reasons = ("File too large", "No usable temporary directory")
        if not told(done) or not any(reason in done.stderr for reason in reasons):
            failures[name] = (done.returncode, done.stderr[-2000:])
        left = [path for path in (project / "out").rglob("*") if path.is_file()]
        assert not left, (name, left)
        assert before == {path: path.read_bytes() for path in before}, name
    print(f"{len(every)} programs on a full disk, {len(failures)} tracebacks")
    assert not failures


def test_an_output_that_cannot_be_written_is_one_line_of_every_program(project: Path) -> None:
    (project / "file").write_text("precious")
    failures = {}
    every = programs("file/out")
    for name, arguments in every.items():
        done = run(project, arguments, full=False)
        if not told(done) or "file/out" not in done.stderr:
            failures[name] = (done.returncode, done.stderr[-2000:])
    print(f"{len(every)} programs with no folder to write to, {len(failures)} tracebacks")
    assert not failures
    assert (project / "file").read_text() == "precious"


def test_standard_output_that_is_full_is_one_line(project: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, "check", LETOR],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.stderr == "error: standard output: No space left on device\n"
    assert done.returncode == 1


def test_an_error_in_writing_names_the_file_and_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"file/a\.json: cannot be written: (File|Not a)"):
        write_json(tmp_path / "file" / "a.json", {})
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(UserError, match=r"folder: cannot be written: Is a directory"):
        write_json(tmp_path / "folder", {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def read_while_writing(target: Path, other: Path) -> None:
    with written_whole(target):
        other.read_text()


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        read_while_writing(tmp_path / "a.json", tmp_path / "absent.txt")
    assert error.value.filename == str(tmp_path / "absent.txt")
