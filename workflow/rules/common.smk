# Checked configuration, and the functions that rules share.

import hashlib
import json
import os
import re
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

from arsm_l2r.experiments import job_needs
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.gpus import gpu_limit
from arsm_l2r.letor.catalogue import load_catalogue
from arsm_l2r.experiments.methods import METHODS as METHOD_NAMES
from arsm_l2r.experiments.methods import check_combination, trains_network
from arsm_l2r.report.letor_baselines import published
from arsm_l2r.settings import check_settings, load_yaml
from arsm_l2r.experiments.studies import CLAIMS, STANDARD, ablation_studies, variants
from snakemake.exceptions import WorkflowError


def ablation_settings():
    """The settings of the model that ablations start from."""
    ablations = config["ablations"]
    return {**METHODS[ablations["method"]], **ablations["settings"]}


try:
    schema = load_yaml(Path(workflow.basedir) / "schemas" / "config.schema.yaml")
    config.update(check_settings(config, schema, source="configuration"))
    # In the order of the paper's tables, whatever the order in the configuration.
    METHODS = {
        name: config["methods"][name]
        for name in METHOD_NAMES
        if config["methods"].get(name) is not None
    }
    # A study of a method that is left out is left out with it.
    SEARCH, ABLATIONS = (
        {
            name: study
            for name, study in studies.items()
            if config["methods"].get(study["method"], {}) is not None
        }
        for studies in (config["search"], ablation_studies(config["ablations"]))
    )
    VARIANTS = [
        variant
        for part, studies in (("search", SEARCH), ("ablations", ABLATIONS))
        for name, study in studies.items()
        for variant in variants(f"{part}.{name}", study, METHODS)
    ]
    for variant in VARIANTS:
        tried = {**config, "methods": {variant.method: variant.settings}}
        check_settings(tried, schema, source=f"variant {variant.name}")
    # What can be trained, by the name of its runs: a method and its settings.
    TRAINED = {name: (name, settings) for name, settings in METHODS.items()} | {
        variant.name: (variant.method, variant.settings) for variant in VARIANTS
    }
    for name, (_, settings) in TRAINED.items():
        check_combination(settings, name)
    if ABLATIONS:
        # Gradients of all estimators are compared with those of this one.
        start = {**ablation_settings(), "estimator": STANDARD}
        check_combination(start, "ablations: gradients")
    CATALOGUE = load_catalogue(Path(config["catalogue"]))
    unknown = [name for name in config["datasets"] if name not in CATALOGUE]
    if unknown:
        raise UserError(
            f"configuration: datasets: {unknown[0]!r} is not in {config['catalogue']}, "
            f"which has {', '.join(CATALOGUE)}"
        )
except UserError as error:
    raise WorkflowError(str(error)) from None

# Jobs run the Python that runs Snakemake, whether or not its environment is activated.
os.environ.update(
    PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.getenv('PATH', '')}"
)

# These are no parameters of rules: setting them, or not, reruns nothing.
if config["letor_mirror"]:
    os.environ.setdefault("LETOR_MIRROR", config["letor_mirror"])
os.environ.update(ARSM_L2R_ALLOW_CPU=str(int(config["allow_cpu"])))

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


envvars:
    "ARSM_L2R_GPUS",


MOST_FOLDS = max(dataset.part_count for dataset in CATALOGUE.values())

RUN = "<results>/{dataset}/fold{fold}/{method}/seed{seed}"

TABLES = ["datasets", "cost"] + [
    f"{name}{kind}"
    for name in config["datasets"]
    for kind in ("", "_comparison", "_comparison_paper")
]
if "mq2007" in config["datasets"] and set(METHODS) & set(published()["method"]):
    TABLES.append("mq2007_published")


wildcard_constraints:
    dataset="|".join(CATALOGUE),
    method="|".join(map(re.escape, TRAINED)),
    study="|".join(SEARCH) or "none",
    claim="|".join(CLAIMS),
    fold="|".join(map(str, range(1, MOST_FOLDS + 1))),
    seed=r"\d+",


def identity(description):
    """A short name for a description: a job that depends on it runs again when it changes."""
    text = json.dumps(asdict(description), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def local_source(wildcards):
    """The file that a data set comes from, if it has no other source."""
    sources = CATALOGUE[wildcards.dataset].sources
    return [sources[0].file] if len(sources) == 1 and sources[0].file else []


def benchmarks_folder():
    """Where Snakemake's measurements of time and memory lie."""
    paths = config["pathvars"]
    return paths["benchmarks"].replace("<results>", paths["results"])


def preparation_memory(wildcards, attempt):
    return job_needs.preparation_memory(CATALOGUE[wildcards.dataset], attempt)


def preparation_minutes(wildcards, attempt):
    return job_needs.preparation_minutes(CATALOGUE[wildcards.dataset], attempt)


def training_memory(wildcards, attempt):
    return job_needs.training_memory(
        CATALOGUE[wildcards.dataset],
        attempt,
        network=trains_network(TRAINED[wildcards.method][0]),
    )


def training_minutes(wildcards, attempt):
    return job_needs.training_minutes(
        CATALOGUE[wildcards.dataset], TRAINED[wildcards.method][1], attempt
    )


def training_gpus(wildcards):
    return int(trains_network(TRAINED[wildcards.method][0]))


def checkpoint_file(wildcards):
    """Where a training job keeps its state while it runs."""
    run = f"{wildcards.dataset}/fold{wildcards.fold}/{wildcards.method}/seed{wildcards.seed}"
    return f"{config['pathvars']['results']}/checkpoints/{run}.npz"


def every_run(name):
    """A file of every run of a fold: each method with each seed, in the configuration's order."""
    return expand(
        f"{RUN}/{name}",
        method=METHODS,
        seed=config["seeds"],
        allow_missing=True,
    )


def fold_numbers(wildcards):
    """The folds of a data set."""
    return range(1, CATALOGUE[wildcards.dataset].part_count + 1)


def folds_of(wildcards):
    """The result of every fold of a data set."""
    return expand(
        "<results>/{dataset}/fold{fold}.json",
        dataset=wildcards.dataset,
        fold=fold_numbers(wildcards),
    )


def measures_of(wildcards):
    """What every run on a data set measured of single queries."""
    return expand(
        f"{RUN}/measures.parquet",
        dataset=wildcards.dataset,
        fold=fold_numbers(wildcards),
        method=METHODS,
        seed=config["seeds"],
    )


def histories_of(wildcards):
    """How every run of the paper's method on a data set learnt."""
    return expand(
        f"{RUN}/history.parquet",
        dataset=wildcards.dataset,
        fold=fold_numbers(wildcards),
        method=[name for name in METHODS if name == "arsm-l2r"],
        seed=config["seeds"],
    )


def runs_of(methods, seeds, name, datasets=config["datasets"]):
    """A file of every run of methods or variants on all folds."""
    return [
        path
        for dataset in datasets
        for path in expand(
            f"{RUN}/{name}",
            dataset=dataset,
            fold=range(1, CATALOGUE[dataset].part_count + 1),
            method=methods,
            seed=seeds,
        )
    ]


def study_files(studies, study, *names):
    """Files of every run of a study."""
    if study not in studies:
        raise WorkflowError(f"{study}: its method is left out of the configuration")
    tried = [variant.name for variant in variants(study, studies[study], METHODS)]
    return [
        path for name in names for path in runs_of(tried, studies[study]["seeds"], name)
    ]


def evidence_for(claim):
    """What a claim of the paper is judged by."""
    rescored, gradients = (
        expand(
            f"<results>/ablations/{kind}/{{dataset}}.parquet",
            dataset=config["datasets"],
        )
        for kind in ("scorings", "gradients")
    )
    if claim == "scorings":
        return rescored
    if claim == "comparison":
        return all_folds() + all_folds(every_run("measures.parquet"))
    if claim == "estimators":
        return gradients + study_files(ABLATIONS, claim, "run.json", "history.parquet")
    read = ["run.json", "measures.parquet"]
    if claim == "levels":
        return study_files(ABLATIONS, claim, *read, "history.parquet")
    trained = study_files(ABLATIONS, claim, *read)
    return trained + (rescored if claim == "losses" else [])


def sorted_json(content):
    """JSON as a parameter of a rule, which the order of keys in a file must not change."""
    return json.dumps(content, sort_keys=True)


def configuration_options():
    """What to add to a Snakemake command so that it takes the same configuration."""
    files = [os.path.relpath(path) for path in workflow.overwrite_configfiles]
    given = [path for path in files if path != "config/config.yaml"]
    return f"--configfile {shlex.join(given)}" if given else ""


def all_folds(pattern="<results>/{dataset}/fold{fold}.json"):
    """The result, or another file, of every fold of every data set."""
    return [
        path
        for name in config["datasets"]
        for fold in range(1, CATALOGUE[name].part_count + 1)
        for path in expand(pattern, dataset=name, fold=fold)
    ]
