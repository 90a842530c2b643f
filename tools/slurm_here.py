"""Start a SLURM of one node on this machine, to try the workflow on, and stop it again.

Needs root and Debian's packages slurmctld, slurmd, slurm-client and munge. The node has this
machine's cores and memory, and two GPUs that are only pretended: SLURM hands them out, but no
program can compute on them. A job that takes more memory than it asked for is killed.

    python tools/slurm_here.py start
    python tools/slurm_here.py stop
"""

import argparse
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")
# Jobs look for the configuration here and nowhere else.
CONFIGURATION = Path("/etc/slurm")
FILES = ("slurm.conf", "gres.conf")
STATE = Path("/run/slurm-here")
OURS = "# Written by tools/slurm_here.py of ARSM-L2R, which removes it again.\n"
GPUS = 2

SLURM_CONF = """\
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={state}/munge.socket
StateSaveLocation={state}/controller
SlurmdSpoolDir={state}/node
SlurmctldPidFile={state}/slurmctld.pid
SlurmdPidFile={state}/slurmd.pid
SlurmctldLogFile={state}/slurmctld.log
SlurmdLogFile={state}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
KillWait=5
MpiDefault=none
MailProg=/bin/true
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} Gres=gpu:{gpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str | None:
    """Why a SLURM cannot be started here, if it cannot."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return f"no SLURM here: {', '.join(missing)} not found"
    if os.geteuid() != 0:
        return "starting a SLURM needs root"
    for name in FILES:
        path = CONFIGURATION / name
        if path.exists() and not is_ours(path):
            return f"{path} belongs to another SLURM, which is left alone"
    return None


def is_ours(path: Path) -> bool:
    return path.exists() and path.read_text().startswith(OURS)


def start() -> None:
    reason = why_not()
    if reason:
        sys.exit(f"error: {reason}")
    stop()
    write_configuration()
    run(
        "munged",
        f"--key-file={STATE}/munge.key",
        f"--socket={STATE}/munge.socket",
        f"--pid-file={STATE}/munged.pid",
        f"--log-file={STATE}/munged.log",
        f"--seed-file={STATE}/munge.seed",
        "--force",
    )
    run("slurmctld")
    run("slurmd")
    for _ in range(60):
        state = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True).stdout
        if state.strip() == "idle":
            return
        time.sleep(0.5)
    log = "".join(path.read_text() for path in STATE.glob("slurm*.log"))
    stop()
    sys.exit(f"error: SLURM did not start; its logs say:\n{log}")


def write_configuration() -> None:
    for name in ("controller", "node"):
        (STATE / name).mkdir(parents=True, exist_ok=True)
    STATE.chmod(0o755)
    key = STATE / "munge.key"
    key.write_bytes(secrets.token_bytes(64))
    key.chmod(0o600)
    host = socket.gethostname().partition(".")[0]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    settings = {
        "host": host,
        "state": STATE,
        "cpus": os.cpu_count(),
        "memory": memory,
        "gpus": GPUS,
    }
    for number in range(GPUS):
        (STATE / f"gpu{number}").symlink_to(os.devnull)
    CONFIGURATION.mkdir(exist_ok=True)
    (CONFIGURATION / "slurm.conf").write_text(OURS + SLURM_CONF.format(**settings))
    (CONFIGURATION / "gres.conf").write_text(f"{OURS}Name=gpu File={STATE}/gpu[0-{GPUS - 1}]\n")


def stop() -> None:
    cancel_jobs()
    for name in ("slurmd", "slurmctld", "munged"):
        end(STATE / f"{name}.pid")
    for name in FILES:
        if is_ours(CONFIGURATION / name):
            (CONFIGURATION / name).unlink()
    shutil.rmtree(STATE, ignore_errors=True)


def cancel_jobs() -> None:
    """Cancel what runs, and wait for it to end, for SLURM forgets jobs when it is stopped."""
    if not is_ours(CONFIGURATION / "slurm.conf") or not (STATE / "slurmctld.pid").exists():
        return
    try:
        subprocess.run(["scancel", "--user=root"], capture_output=True, timeout=20)
        for _ in range(30):
            jobs = subprocess.run(["squeue", "-h"], capture_output=True, timeout=20)
            if not jobs.stdout.strip():
                return
            time.sleep(0.5)
    except subprocess.TimeoutExpired:
        return


def end(pid_file: Path) -> None:
    """End the daemon that wrote this file, and wait until it is gone."""
    try:
        pid = int(pid_file.read_text())
        os.kill(pid, 15)
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.1)
    except (OSError, ValueError):
        return


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        stop()
        sys.exit(f"error: {command[0]} did not start: {done.stderr.strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=["start", "stop"])
    {"start": start, "stop": stop}[parser.parse_args().action]()


if __name__ == "__main__":
    main()
