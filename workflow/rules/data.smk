# fetch archive -> unpack -> validate -> one Parquet table per part -> description


localrules:
    generate_synthetic,
    fetch,
    describe,


def description_of(wildcards):
    """What the catalogue says of a data set: changed, its data are made again."""
    return as_parameter(PLAN.catalogue[wildcards.dataset].model_dump(mode="json"))


def local_source(wildcards):
    """The file that a data set comes from, if it has no other source."""
    sources = PLAN.catalogue[wildcards.dataset].sources
    return [sources[0].file] if len(sources) == 1 and sources[0].file else []


rule generate_synthetic:
    output:
        DATA.generated,
    log:
        "<logs>/generate_synthetic.log",
    benchmark:
        "<benchmarks>/generate_synthetic.tsv"
    message:
        "Generating the synthetic data set"
    shell:
        "python scripts/generate_synthetic.py --output {output:q} 2> {log:q}"


rule fetch:
    input:
        local_source,
    output:
        DATA.source("{dataset}"),
    log:
        "<logs>/fetch/{dataset}.log",
    benchmark:
        "<benchmarks>/fetch/{dataset}.tsv"
    resources:
        runtime=120,
    params:
        folder=subpath(output[0], parent=True),
        catalogue=config["catalogue"],
        description=description_of,
    message:
        "Fetching {wildcards.dataset}"
    shell:
        # The terminal shows the progress of a download, and the log keeps it.
        "python scripts/fetch.py"
        " --dataset {wildcards.dataset:q}"
        " --catalogue {params.catalogue:q}"
        " --output {params.folder:q}"
        " 2> >(tee {log:q} >&2)"


rule prepare:
    input:
        DATA.source("{dataset}"),
    output:
        directory(DATA.parts("{dataset}")),
    log:
        "<logs>/prepare/{dataset}.log",
    benchmark:
        "<benchmarks>/prepare/{dataset}.tsv"
    threads: 2
    resources:
        mem_mb=lambda wildcards, attempt: job_needs.preparation_memory(
            PLAN.catalogue[wildcards.dataset], attempt
        ),
        runtime=lambda wildcards, attempt: job_needs.preparation_minutes(
            PLAN.catalogue[wildcards.dataset], attempt
        ),
        gpu=0,
    params:
        text=subpath(input[0], parent=True),
        catalogue=config["catalogue"],
        description=description_of,
    message:
        "Parsing, validating and storing {wildcards.dataset}"
    shell:
        "python scripts/prepare.py"
        " --dataset {wildcards.dataset:q}"
        " --catalogue {params.catalogue:q}"
        " --text {params.text:q}"
        " --output {output:q}"
        " 2> {log:q}"


rule describe:
    input:
        DATA.parts("{dataset}"),
    output:
        FILES.description("{dataset}"),
    log:
        "<logs>/describe/{dataset}.log",
    benchmark:
        "<benchmarks>/describe/{dataset}.tsv"
    params:
        catalogue=config["catalogue"],
        description=description_of,
    message:
        "Describing {wildcards.dataset}"
    shell:
        "python scripts/describe.py"
        " --dataset {wildcards.dataset:q}"
        " --catalogue {params.catalogue:q}"
        " --parts {input:q}"
        " --output {output:q}"
        " 2> {log:q}"


rule data:
    input:
        [PLAN.layout.description(name) for name in PLAN.datasets],
