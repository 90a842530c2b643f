# fetch archive -> unpack -> validate -> one Parquet table per part -> description


localrules:
    generate_synthetic,
    fetch,
    describe,


rule generate_synthetic:
    output:
        "data/generated/synthetic.zip",
    log:
        "<logs>/generate_synthetic.log",
    benchmark:
        "<benchmarks>/generate_synthetic.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Generating the synthetic data set"
    shell:
        "python scripts/generate_synthetic.py --output {output:q} 2> {log:q}"


rule fetch:
    input:
        local_source,
    output:
        "data/{dataset}/text/source.json",
    log:
        "<logs>/fetch/{dataset}.log",
    benchmark:
        "<benchmarks>/fetch/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=120,
    params:
        folder=subpath(output[0], parent=True),
        catalogue=config["catalogue"],
        description=lambda wildcards: identity(CATALOGUE[wildcards.dataset]),
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
        "data/{dataset}/text/source.json",
    output:
        directory("data/{dataset}/parts"),
    log:
        "<logs>/prepare/{dataset}.log",
    benchmark:
        "<benchmarks>/prepare/{dataset}.tsv"
    threads: 2
    resources:
        mem_mb=preparation_memory,
        runtime=preparation_minutes,
        gpu=0,
    params:
        text=subpath(input[0], parent=True),
        catalogue=config["catalogue"],
        description=lambda wildcards: identity(CATALOGUE[wildcards.dataset]),
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
        "data/{dataset}/parts",
    output:
        "<results>/{dataset}/data.json",
    log:
        "<logs>/describe/{dataset}.log",
    benchmark:
        "<benchmarks>/describe/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        catalogue=config["catalogue"],
        description=lambda wildcards: identity(CATALOGUE[wildcards.dataset]),
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
        expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
