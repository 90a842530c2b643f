# fetch archive -> unpack -> validate -> one Parquet table per part -> description


localrules:
    generate_synthetic,
    fetch,
    describe,


rule generate_synthetic:
    output:
        DATA.generated,
    log:
        "<logs>/generate_synthetic.log",
    benchmark:
        "<benchmarks>/generate_synthetic.tsv"
    params:
        code=code_of("arsm_l2r.letor.synthetic"),
    message:
        "Generating the synthetic data set"
    shell:
        "python scripts/generate_synthetic.py --output {output:q} 2> {log:q}"


rule fetch:
    input:
        lambda wildcards: PLAN.catalogue[wildcards.dataset].local_source or [],
    output:
        DATA.source("{dataset}"),
    log:
        "<logs>/fetch/{dataset}.log",
    benchmark:
        "<benchmarks>/fetch/{dataset}.tsv"
    resources:
        runtime=lambda wildcards: fetching_minutes(
            PLAN.catalogue[wildcards.dataset], PLAN.configuration.fetching
        ),
    params:
        folder=subpath(output[0], parent=True),
        catalogue=config["catalogue"],
        wanted=lambda wildcards: PLAN.catalogue[wildcards.dataset].about("fetch"),
    message:
        "Fetching {wildcards.dataset}"
    shell:
        # The terminal shows the progress of a download, and the log keeps it. An error is in the
        # log alone: Snakemake shows that of a job that failed.
        "python scripts/fetch.py"
        " --dataset {wildcards.dataset:q}"
        " --catalogue {params.catalogue:q}"
        " --output {params.folder:q}"
        " 2> >(tee {log:q} | awk '$1 == \"error:\" {{hide = 1}} !hide {{print; fflush()}}' >&2)"


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
        mem_mb=lambda wildcards, input, attempt: job_needs.preparation_memory(
            PLAN.catalogue[wildcards.dataset], attempt, input[0]
        ),
        runtime=lambda wildcards, input, attempt: job_needs.preparation_minutes(
            PLAN.catalogue[wildcards.dataset], attempt, input[0]
        ),
        gpu=0,
    params:
        text=subpath(input[0], parent=True),
        catalogue=config["catalogue"],
        wanted=lambda wildcards: PLAN.catalogue[wildcards.dataset].about("prepare"),
        code=code_of("arsm_l2r.letor.prepare", "arsm_l2r.letor.store"),
    message:
        "Parsing, validating and storing {wildcards.dataset}"
    shell:
        "python scripts/prepare.py"
        " --dataset {wildcards.dataset:q}"
        " --catalogue {params.catalogue:q}"
        " --text {params.text:q}"
        " --threads {threads}"
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
    resources:
        mem_mb=lambda wildcards, input: job_needs.reading_memory(
            PLAN.catalogue[wildcards.dataset], input[0]
        ),
    params:
        catalogue=config["catalogue"],
        wanted=lambda wildcards: PLAN.catalogue[wildcards.dataset].about("describe"),
        code=code_of("arsm_l2r.letor.describe"),
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
        PLAN.descriptions,
