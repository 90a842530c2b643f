# per data set x fold x method x seed: train, and score the validation and test documents


rule train:
    input:
        DATA.parts("{dataset}"),
    output:
        model=RUN.model,
        history=RUN.history,
        vali=RUN.vali,
        test=RUN.test,
        run=RUN.record,
    log:
        "<logs>/train/{dataset}/fold{fold}/{method}/seed{seed}.log",
    benchmark:
        "<benchmarks>/train/{dataset}/fold{fold}/{method}/seed{seed}.tsv"
    # More would change the results: each worker computes with one thread.
    threads: lambda wildcards: PLAN.workers(wildcards.method)
    resources:
        mem_mb=lambda wildcards, input, attempt: job_needs.training_memory(
            PLAN.catalogue[wildcards.dataset],
            PLAN.trained[wildcards.method].settings,
            attempt,
            input[0],
            network=PLAN.trained[wildcards.method].method.trains_network,
        ),
        runtime=lambda wildcards, input, attempt: job_needs.training_minutes(
            PLAN.catalogue[wildcards.dataset],
            PLAN.trained[wildcards.method].settings,
            attempt,
            input[0],
        ),
        gpu=lambda wildcards: (
            PLAN.workers(wildcards.method)
            if PLAN.trained[wildcards.method].method.trains_network
            else 0
        ),
        # Through SLURM, every worker is a task; scripts/train.py starts them.
        mpi=lambda wildcards: "srun" if slurm_tasks(wildcards.method) else None,
        tasks=lambda wildcards: slurm_tasks(wildcards.method),
        tasks_per_gpu=lambda wildcards: slurm_tasks(wildcards.method) and 1,
        cpus_per_task=lambda wildcards: slurm_tasks(wildcards.method) and 1,
    params:
        method=lambda wildcards: PLAN.trained[wildcards.method].method.name,
        ranker=lambda wildcards: PLAN.ranker(wildcards.method),
        settings=lambda wildcards: as_parameter(
            PLAN.training_settings(wildcards.method, wildcards.dataset)
        ),
        # A changed loss trains again; `scripts/same_results.py` declares a change that needn't.
        code=lambda wildcards: PLAN.code(wildcards.method),
        extensions=lambda wildcards: PLAN.extensions(wildcards.method),
        folder=subpath(output.run, parent=True),
        # Not an output: Snakemake would remove it with the outputs of a job that was killed.
        checkpoint=lambda wildcards: PLAN.layout.checkpoint(**wildcards),
    message:
        "Training {wildcards.method} on {wildcards.dataset}, fold {wildcards.fold}, seed {wildcards.seed}"
        " (threads {threads}, memory {resources.mem_mb} MB, time {resources.runtime} min, GPUs {resources.gpu})"
    shell:
        "python scripts/train.py"
        " --parts {input:q}"
        " --dataset {wildcards.dataset:q}"
        " --fold {wildcards.fold}"
        " --method {params.method:q}"
        " --ranker {params.ranker:q}"
        " --seed {wildcards.seed}"
        " --settings {params.settings:q}"
        " --code {params.code:q}"
        " --extensions {params.extensions:q}"
        " --threads {threads}"
        " --gpus {resources.gpu}"
        " --checkpoint {params.checkpoint:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"
