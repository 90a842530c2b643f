# per data set x fold x method x seed: train, and score the validation and test documents


rule train:
    input:
        "data/{dataset}/parts",
    output:
        model=f"{RUN}/model.npz",
        history=f"{RUN}/history.parquet",
        vali=f"{RUN}/vali.scores",
        test=f"{RUN}/test.scores",
        run=f"{RUN}/run.json",
    log:
        "<logs>/train/{dataset}/fold{fold}/{method}/seed{seed}.log",
    benchmark:
        "<benchmarks>/train/{dataset}/fold{fold}/{method}/seed{seed}.tsv"
    # More would change the results: they are the same for the same number of threads only.
    threads: 1
    resources:
        mem_mb=training_memory,
        runtime=training_minutes,
        gpu=training_gpus,
    params:
        method=lambda wildcards: TRAINED[wildcards.method][0],
        settings=lambda wildcards: sorted_json(TRAINED[wildcards.method][1]),
        folder=subpath(output.run, parent=True),
        # Not an output: Snakemake would remove it with the outputs of a job that was killed.
        checkpoint=lambda wildcards: checkpoint_file(wildcards),
    message:
        "Training {wildcards.method} on {wildcards.dataset}, fold {wildcards.fold}, seed {wildcards.seed}"
        " (threads {threads}, memory {resources.mem_mb} MB, time {resources.runtime} min, GPUs {resources.gpu})"
    shell:
        "python scripts/train.py"
        " --parts {input:q}"
        " --fold {wildcards.fold}"
        " --method {params.method:q}"
        " --seed {wildcards.seed}"
        " --settings {params.settings:q}"
        " --threads {threads}"
        " --gpus {resources.gpu}"
        " --checkpoint {params.checkpoint:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"
