# measure each run, and collect the runs of a fold


localrules:
    evaluate,
    fold,


rule evaluate:
    input:
        parts="data/{dataset}/parts",
        vali=f"{RUN}/vali.scores",
        test=f"{RUN}/test.scores",
    output:
        measures=f"{RUN}/measures.parquet",
        summary=f"{RUN}/summary.json",
    log:
        "<logs>/evaluate/{dataset}/fold{fold}/{method}/seed{seed}.log",
    benchmark:
        "<benchmarks>/evaluate/{dataset}/fold{fold}/{method}/seed{seed}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Measuring {wildcards.method} on {wildcards.dataset}, fold {wildcards.fold}, seed {wildcards.seed}"
    shell:
        "python scripts/evaluate.py"
        " --parts {input.parts:q}"
        " --fold {wildcards.fold}"
        " --vali-scores {input.vali:q}"
        " --test-scores {input.test:q}"
        " --measures {output.measures:q}"
        " --summary {output.summary:q}"
        " 2> {log:q}"


rule fold:
    input:
        runs=every_run("run.json"),
        summaries=every_run("summary.json"),
    output:
        "<results>/{dataset}/fold{fold}.json",
    log:
        "<logs>/fold/{dataset}/fold{fold}.log",
    benchmark:
        "<benchmarks>/fold/{dataset}/fold{fold}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
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
