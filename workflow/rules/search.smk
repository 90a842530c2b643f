# choices made on validation data: variants of a method, trained like all others, compared


localrules:
    compare_variants,


rule compare_variants:
    input:
        data=expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
        runs=lambda wildcards: study_files(
            SEARCH, wildcards.study, "run.json", "history.parquet"
        ),
    output:
        tex="<results>/search/{study}.tex",
        html="<results>/search/{study}.html",
        csv="<results>/search/{study}.csv",
        md="<results>/search/{study}.md",
    log:
        "<logs>/search/{study}.log",
    benchmark:
        "<benchmarks>/search/{study}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        description=lambda wildcards: json.dumps(SEARCH[wildcards.study]),
        methods=sorted_json(METHODS),
        results=lambda wildcards: config["pathvars"]["results"],
        folder=subpath(output.html, parent=True),
    message:
        "Comparing the variants of {wildcards.study} on validation data"
    shell:
        "python scripts/search.py"
        " --study {wildcards.study:q}"
        " --description {params.description:q}"
        " --methods {params.methods:q}"
        " --data {input.data:q}"
        " --results {params.results:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule search:
    input:
        expand("<results>/search/{study}.html", study=SEARCH),
