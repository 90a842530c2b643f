"""Build `.venv` from the lock files and install the package into it; do nothing if it is so.

Runs on whatever Python there is, so that even a too old one can say what to do: no syntax here
that Python 2.7 cannot read.

    python3 tools/bootstrap.py [extra ...]
"""

from __future__ import print_function

import hashlib
import os
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 13)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "installed-from")


def stop(message):
    sys.exit("\nerror: " + message)


def check_python():
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        stop(
            "this is Python {}.{} ({}); Python {}.{} to {}.{} is needed, the versions that "
            "TensorFlow comes for.\nInstall one and run again, or name one that is installed: "
            "make setup PYTHON=python3.12".format(
                *(sys.version_info[:2] + (sys.executable,) + OLDEST + NEWEST)
            )
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop(
            "this Python cannot make virtual environments: its venv module is missing.\n"
            "On Debian and Ubuntu: apt install python{}.{}-venv".format(*sys.version_info[:2])
        )


def lock_files(extras):
    names = ["requirements.lock"] + ["requirements-{}.lock".format(extra) for extra in extras]
    paths = [os.path.join(ROOT, name) for name in names]
    for path in paths:
        if not os.path.exists(path):
            known = sorted(
                name[len("requirements-") : -len(".lock")]
                for name in os.listdir(ROOT)
                if name.startswith("requirements-") and name.endswith(".lock")
            )
            stop("no extra like that; there are: " + ", ".join(known))
    return paths


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def installed():
    """Which extras `.venv` has (with `base` for the rest), each with what it was made from."""
    if not os.path.exists(STAMP):
        return {}
    with open(STAMP) as file:
        return dict(line.split() for line in file if line.strip())


def pip(*arguments):
    command = [os.path.join(VENV, "bin", "python"), "-m", "pip"] + list(arguments)
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
    _, complaint = process.communicate()
    complaint = complaint.decode("utf-8", "replace")
    if process.returncode == 0:
        return
    sys.stderr.write(complaint)
    unreachable = ("NewConnectionError", "Temporary failure", "Name or service", "ConnectTimeout")
    if any(sign in complaint for sign in unreachable) or "from versions: none" in complaint:
        stop(
            "the packages could not be fetched: no package index answered.\n"
            "Connect to the network and run again, or point pip at a mirror or at a folder of "
            "wheels (PIP_INDEX_URL, or PIP_NO_INDEX=1 and PIP_FIND_LINKS)."
        )
    stop("pip failed; what it said is above. Nothing else was changed; run again after mending it.")


def main():
    check_python()
    extras = sorted(set(sys.argv[1:]))
    project = os.path.join(ROOT, "pyproject.toml")
    wanted = {"base": digest(lock_files([]) + [project])}
    for extra in extras:
        wanted[extra] = digest(lock_files([extra])[1:] + [project])
    have = installed()
    if all(have.get(name) == value for name, value in wanted.items()):
        return
    if have and have.get("base") != wanted["base"]:
        # The base changed: extras installed earlier are brought along.
        extras = sorted(set(extras) | (set(have) - {"base"}))
        wanted.update((extra, digest(lock_files([extra])[1:] + [project])) for extra in extras)
    print("Setting up .venv (TensorFlow is large: some minutes the first time) ...")
    sys.stdout.flush()
    if os.path.exists(STAMP):
        os.remove(STAMP)
    if subprocess.call([sys.executable, "-m", "venv", VENV]) != 0:
        stop("the virtual environment could not be made; what Python said is above.")
    requirements = [part for path in lock_files(extras) for part in ("-r", path)]
    quiet = ["--quiet", "--disable-pip-version-check"]
    pip("install", "--require-hashes", *(quiet + requirements))
    pip("install", "--no-deps", "--no-build-isolation", "--editable", ".", *quiet)
    have.update(wanted)
    with open(STAMP, "w") as file:
        file.writelines("{} {}\n".format(*item) for item in sorted(have.items()))
    print("The environment is ready in .venv.")


if __name__ == "__main__":
    main()
