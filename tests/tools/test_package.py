"""The package that is built: what it says of itself, what it holds, and that it works alone."""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = {"baselines", "workflow", "onnx", "gpu", "slurm", "cluster-generic", "dev"}
OF_THE_WORKFLOW = ("snakemake", "pandera", "great_tables", "matplotlib", "lightgbm", "onnx")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Wheel and sdist, by how their names end."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def metadata(built: dict[str, Path]) -> Message:
    with zipfile.ZipFile(built[".whl"]) as wheel:
        (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(wheel.read(name))


def test_a_package_index_would_take_it(built: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built.values())]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_library_needs_nothing_of_the_workflow(metadata: Message) -> None:
    needed = metadata.get_all("Requires-Dist") or []
    always = {re.split(r"[^\w-]", each)[0] for each in needed if "extra ==" not in each}
    assert always >= {"tensorflow", "numpy", "polars", "scikit-learn"}
    assert not always & {name.replace("_", "-") for name in OF_THE_WORKFLOW}
    assert set(metadata.get_all("Provides-Extra") or []) == EXTRAS


def test_it_says_what_it_is(metadata: Message) -> None:
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)}
    assert versions <= set(metadata.get_all("Classifier") or [])
    text = str(metadata.get_payload())
    assert text.startswith("# Rank with ARSMRanker")
    assert not re.search(r"\]\((?!https?:)", text), "links to files lead nowhere there"


def test_the_source_has_what_the_wheel_is_made_of_and_no_data(
    built: dict[str, Path], tmp_path: Path
) -> None:
    with tarfile.open(built[".gz"]) as source:
        names = source.getnames()
        source.extractall(tmp_path, filter="data")
    files = {name.partition("/")[2] for name in names}
    kept_out = ("data/", ".venv/", ".site/", "results/")
    assert [name for name in files if name.startswith(kept_out)] == ["results/README.md"]
    (unpacked,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=unpacked, check=True, capture_output=True)
    (again,) = (unpacked / "dist").glob("*.whl")
    held = [sorted(zipfile.ZipFile(path).namelist()) for path in (built[".whl"], again)]
    assert held[0] == held[1]


SMOKE = f"""
import importlib.util
import sys
from pathlib import Path

import arsm_l2r

assert not {{"tensorflow", "sklearn", "polars"}} & set(sys.modules)
for name in {OF_THE_WORKFLOW!r}:
    assert importlib.util.find_spec(name) is None, name

import numpy as np

from arsm_l2r import ARSMRanker, numpy_loss
from arsm_l2r.rankers.baselines.lambdamart import LambdaMART

random = np.random.default_rng(0)
X = random.random((300, 4))
y = np.digitize(X[:, 1], [0.5, 0.8])
group = [10] * 30
ranker = ARSMRanker(epochs=10).fit(X, y, group, eval_set=[(X, y)], eval_group=[group])
assert ranker.score(X, y, group) > 0.9, ranker.score(X, y, group)
ranker.save("model.npz")
assert (ARSMRanker.load("model.npz").predict(X) == ranker.predict(X)).all()
ranker.export_saved_model("served")
for refused in (lambda: ranker.export_onnx("m.onnx"), lambda: LambdaMART().fit(X, y, group)):
    try:
        refused()
    except Exception as error:
        assert "pip install" in str(error), error
    else:
        raise AssertionError("needs an extra that is not there")
with open("data.txt", "w") as file:
    for row, label, number in zip(X, y, range(300)):
        cells = " ".join(f"{{column}}:{{value:.6f}}" for column, value in enumerate(row, 1))
        print(f"{{label}} qid:{{number // 10}} {{cells}} #docid = d{{number}}", file=file)
"""


@pytest.mark.slow
def test_installed_alone_into_an_empty_environment_it_works(
    built: dict[str, Path], tmp_path: Path
) -> None:
    """Ranks, saves, exports and says which extra is missing, with no package of the workflow."""
    try:
        _install_and_use(built[".whl"], tmp_path)
    finally:
        shutil.rmtree(tmp_path / "venv", ignore_errors=True)  # gigabytes


def _install_and_use(wheel: Path, folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    bin_folder = folder / "venv" / "bin"
    # The versions that are locked, without hashes, which pip wants for all or none.
    lock = (ROOT / "requirements.lock").read_text()
    constraints = folder / "constraints.txt"
    constraints.write_text(re.sub(r" \\\n", "\n", re.sub(r"(?m)^ +--hash.*\n?", "", lock)))
    install = [bin_folder / "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*install, "--constraint", constraints, wheel], capture_output=True, text=True
    )
    offline = "NewConnectionError" in done.stderr or "Temporary failure" in done.stderr
    if offline and not os.environ.get("CI"):
        pytest.skip("no package index answered")
    assert done.returncode == 0, done.stderr

    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*command: object) -> str:
        found = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert found.returncode == 0, found.stderr
        return found.stdout

    run(bin_folder / "python", "-c", SMOKE)
    command = bin_folder / "arsm-l2r"
    run(command, "train", "data.txt", "--model", "m.npz", "--epochs", 10)
    run(command, "rank", "data.txt", "--model", "m.npz", "--format", "trec", "--output", "run.txt")
    run(command, "rank", "data.txt", "--model", "m.npz", "--output", "scores.txt")
    shown = run(command, "evaluate", "--data", "data.txt", "--scores", "scores.txt")
    assert "NDCG@10" in shown
