# The plan, and what is Snakemake's own concern: the environment of jobs, GPUs and memory.

import json
import os
import re
import shlex
import sys
from pathlib import Path

from arsm_l2r import source_code
from arsm_l2r.errors import UserError
from arsm_l2r.experiments import job_needs
from arsm_l2r.experiments.configuration import (
    CONFIGFILE,
    read_configuration,
    with_bases,
)
from arsm_l2r.experiments.gpus import gpu_limit
from arsm_l2r.experiments.layout import FORMATS, PICTURES, DataFiles, Layout
from arsm_l2r.experiments.machine_memory import memory_for_jobs
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.slurm_tasks import VARIABLE as SRUN
from arsm_l2r.experiments.studies import CLAIMS, DRAWN, STUDIED, TABLED
from arsm_l2r.files import write_json
from arsm_l2r.letor.fetch import fetching_minutes
from snakemake.exceptions import WorkflowError
from snakemake.resources import Resource

try:
    PLAN = Plan(
        read_configuration(
            with_bases(
                config,
                [Path(path) for path in workflow.overwrite_configfiles],
                workflow.config_settings.config,
            )
        )
    )
except UserError as error:
    raise WorkflowError(str(error)) from None

config.update(PLAN.configuration.model_dump(mode="json"))

# Paths as rules have them; what is asked of the plan has the same paths with names filled in.
FILES = Layout(Path("<results>"))
DATA = DataFiles()
RUN = FILES.run("{dataset}", "{fold}", "{method}", "{seed}")

# Jobs run the Python that runs Snakemake, whether or not its environment is activated.
os.environ.update(
    PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.getenv('PATH', '')}"
)

# These are no parameters of rules: setting them, or not, reruns nothing.
if config["letor_mirror"]:
    os.environ.setdefault("LETOR_MIRROR", config["letor_mirror"])
os.environ.update(
    ARSM_L2R_ALLOW_CPU=str(int(config["allow_cpu"])),
    ARSM_L2R_FETCHING=PLAN.configuration.fetching.model_dump_json(),
)

# How many GPUs there are to share out is found out once, or said with --resources gpu=N.
# Snakemake lowers what a job asks for to that limit: with 0, no job gets a GPU. Jobs that were
# submitted do not inherit the limit, so that the environment tells them what they were promised.
if not workflow.is_main_process:
    limit = int(os.environ.get("ARSM_L2R_GPUS", 0))
elif "gpu" in workflow.global_resources:
    limit = workflow.global_resources["gpu"].value
else:
    limit = gpu_limit(submitting=workflow.nodes is not None)
if limit is not None:
    workflow.register_resource("gpu", limit)
os.environ.update(ARSM_L2R_GPUS="0" if limit == 0 else "1")


class MemoryHere(Resource):
    """This machine's memory as a limit, unless jobs are submitted: theirs must not be lowered to it.

    Which of the two is known only after the rules have been read. A dry run does not know it at
    all, and takes `--jobs` as a sign that jobs are submitted.
    """

    @property
    def value(self):
        submitted = (
            workflow.nodes is not None if workflow.dryrun else workflow.non_local_exec
        )
        return None if submitted else super().value


# No more jobs run here at the same time than memory holds, or --resources mem_mb=N says. One that
# asks for more than all of it is lowered to that, and runs alone.
if workflow.is_main_process and "mem_mb" not in workflow.global_resources:
    workflow.register_resource("mem_mb", MemoryHere("mem_mb", memory_for_jobs()))


envvars:
    "ARSM_L2R_GPUS",


wildcard_constraints:
    dataset="|".join(PLAN.catalogue),
    method="|".join(map(re.escape, PLAN.trained)),
    study="|".join(PLAN.searches) or "none",
    claim="|".join(CLAIMS),
    fold="|".join(sorted({str(k) for name in PLAN.catalogue for k in PLAN.folds(name)})),
    seed=r"\d+",


# What the results are made with, for all who read them. Nothing has the file as an input, but the
# part of it that counts as a parameter.
onstart:
    try:
        write_json(PLAN.layout.configuration, PLAN.recorded)
    except UserError as error:
        raise WorkflowError(str(error)) from None


def code_of(*modules, definitions=()):
    """The version of the code of modules, and of classes or functions that may be a user's.

    A job that has it as a parameter runs again when it changes.
    """
    return source_code.code_of(*definitions, modules=modules)


def slurm_tasks(method):
    """How many tasks a training is in SLURM; None if it has one worker, or SLURM does not start it.

    A job that was submitted is told by the environment.
    """
    if workflow.is_main_process:
        executor = workflow.executor_plugin
        submits = executor is not None and executor.name == "slurm"
        os.environ[SRUN] = str(int(submits))
    workers = PLAN.workers(method)
    return workers if workers > 1 and os.environ.get(SRUN) == "1" else None


def as_parameter(content):
    """JSON as a parameter of a rule, which the order of keys in a file must not change."""
    return json.dumps(content, sort_keys=True)


def configuration_options():
    """What to add to a Snakemake command so that it takes the same configuration."""
    files = [os.path.relpath(path) for path in workflow.overwrite_configfiles]
    given = [path for path in files if path != str(CONFIGFILE)]
    return f"--configfile {shlex.join(given)}" if given else ""
