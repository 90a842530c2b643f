# measure each run, and collect the runs of a fold


localrules:
    evaluate,
    fold,
    configuration,


rule evaluate:
    input:
        parts=DATA.parts("{dataset}"),
        vali=RUN.vali,
        test=RUN.test,
    output:
        measures=RUN.measures,
        summary=RUN.summary,
    log:
        "<logs>/evaluate/{dataset}/fold{fold}/{method}/seed{seed}.log",
    benchmark:
        "<benchmarks>/evaluate/{dataset}/fold{fold}/{method}/seed{seed}.tsv"
    resources:
        mem_mb=lambda wildcards, input: job_needs.reading_memory(
            PLAN.catalogue[wildcards.dataset], input.parts
        ),
    params:
        also=config["measures"],
        relevant_from=lambda wildcards: PLAN.catalogue[wildcards.dataset].relevant_from,
        extensions=source_code.users_files(PLAN.measuring),
        code=code_of("arsm_l2r.experiments.results", definitions=PLAN.measuring),
    message:
        "Measuring {wildcards.method} on {wildcards.dataset}, fold {wildcards.fold}, seed {wildcards.seed}"
    shell:
        "python scripts/evaluate.py"
        " --parts {input.parts:q}"
        " --dataset {wildcards.dataset:q}"
        " --fold {wildcards.fold}"
        " --vali-scores {input.vali:q}"
        " --test-scores {input.test:q}"
        " --relevant-from {params.relevant_from}"
        " --also {params.also:q}"
        " --extensions {params.extensions:q}"
        " --measures {output.measures:q}"
        " --summary {output.summary:q}"
        " 2> {log:q}"


rule fold:
    input:
        runs=expand(
            RUN.record, method=PLAN.methods, seed=PLAN.seeds, allow_missing=True
        ),
        summaries=expand(
            RUN.summary, method=PLAN.methods, seed=PLAN.seeds, allow_missing=True
        ),
    output:
        FILES.fold("{dataset}", "{fold}"),
    log:
        "<logs>/fold/{dataset}/fold{fold}.log",
    benchmark:
        "<benchmarks>/fold/{dataset}/fold{fold}.tsv"
    message:
        "Collecting {wildcards.dataset}, fold {wildcards.fold}"
    shell:
        "python scripts/collect_fold.py"
        " --dataset {wildcards.dataset:q}"
        " --fold {wildcards.fold}"
        " --runs {input.runs:q}"
        " --summaries {input.summaries:q}"
        " --output {output:q}"
        " 2> {log:q}"


# Written at the start of every run as well; as a rule it comes back if it is deleted.
rule configuration:
    output:
        FILES.configuration,
    log:
        "<logs>/configuration.log",
    benchmark:
        "<benchmarks>/configuration.tsv"
    params:
        content=as_parameter(PLAN.recorded),
    message:
        "Writing down the configuration"
    shell:
        "python scripts/write_configuration.py"
        " --content {params.content:q}"
        " --output {output:q}"
        " 2> {log:q}"
