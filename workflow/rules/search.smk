# choices made on validation data: variants of a method, trained like all others, compared


localrules:
    compare_variants,


rule compare_variants:
    input:
        PLAN.descriptions,
        runs=lambda wildcards: [
            path
            for run in PLAN.runs_of_study(PLAN.searches[wildcards.study])
            for path in (run.files.record, run.files.history)
        ],
    output:
        multiext(str(FILES.search("{study}", "")), *FORMATS),
    log:
        "<logs>/search/{study}.log",
    benchmark:
        "<benchmarks>/search/{study}.tsv"
    params:
        results=PLAN.layout.root,
        study=lambda wildcards: as_parameter(config["search"][wildcards.study]),
        method=lambda wildcards: as_parameter(
            PLAN.methods[PLAN.searches[wildcards.study].method]
        ),
        relevant_from=[PLAN.catalogue[name].relevant_from for name in PLAN.datasets],
        code=code_of("arsm_l2r.report.search_table"),
        shown=PLAN.looks,
    message:
        "Comparing the variants of {wildcards.study} on validation data"
    shell:
        "python scripts/search.py"
        " --study {wildcards.study:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule search:
    input:
        expand(FILES.search("{study}", "html"), study=PLAN.searches),
