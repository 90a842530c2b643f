# the claims that need experiments of their own: variants, other scores, gradients -> claims


localrules:
    rescore,
    judge_claim,


rule rescore:
    input:
        parts=DATA.parts("{dataset}"),
        models=lambda wildcards: [
            run.files.model
            for run in PLAN.runs(
                wildcards.dataset, [PLAN.configuration.ablations.method]
            )
        ],
    output:
        FILES.rescored("{dataset}"),
    log:
        "<logs>/ablations/scorings/{dataset}.log",
    benchmark:
        "<benchmarks>/ablations/scorings/{dataset}.tsv"
    resources:
        mem_mb=lambda wildcards, input, attempt: max(
            2_000,
            job_needs.training_memory(
                PLAN.catalogue[wildcards.dataset],
                PLAN.ablation_settings,
                attempt,
                input.parts,
                network=False,
            ),
        ),
    params:
        results=PLAN.layout.root,
        scorings=config["ablations"]["scorings"],
        settings=lambda wildcards: as_parameter(
            PLAN.ablation_settings_on(wildcards.dataset)
        ),
        code=code_of("arsm_l2r.experiments.rescoring"),
    message:
        "Scoring {wildcards.dataset} in other ways"
    shell:
        "python scripts/rescore.py"
        " --dataset {wildcards.dataset:q}"
        " --parts {input.parts:q}"
        " --results {params.results:q}"
        " --threads {threads}"
        " --output {output:q}"
        " 2> {log:q}"


rule gradients:
    input:
        parts=DATA.parts("{dataset}"),
    output:
        FILES.gradients("{dataset}"),
    log:
        "<logs>/ablations/gradients/{dataset}.log",
    benchmark:
        "<benchmarks>/ablations/gradients/{dataset}.tsv"
    resources:
        mem_mb=lambda wildcards, input, attempt: max(
            3_000,
            job_needs.training_memory(
                PLAN.catalogue[wildcards.dataset],
                PLAN.ablation_settings,
                attempt,
                input.parts,
                network=True,
            ),
        ),
        runtime=120,
    params:
        results=PLAN.layout.root,
        settings=lambda wildcards: as_parameter(
            PLAN.ablation_settings_on(wildcards.dataset)
        ),
        queries=config["ablations"]["gradient_queries"],
        draws=config["ablations"]["gradient_draws"],
        code=lambda wildcards: code_of(
            "arsm_l2r.experiments.gradient_study", definitions=PLAN.scattering
        ),
    message:
        "Measuring gradients on {wildcards.dataset}"
    shell:
        "python scripts/gradients.py"
        " --dataset {wildcards.dataset:q}"
        " --parts {input.parts:q}"
        " --results {params.results:q}"
        " --threads {threads}"
        " --output {output:q}"
        " 2> {log:q}"


rule judge_claim:
    input:
        PLAN.descriptions,
        evidence=lambda wildcards: PLAN.evidence(wildcards.claim).paths,
    output:
        multiext(str(FILES.claim("{claim}", "")), "csv", "png"),
        json=FILES.claim("{claim}", "json"),
        svg=report(
            FILES.claim("{claim}", "svg"),
            caption="../report/claim.rst",
            category="Claims",
            labels={"claim": "{claim}"},
        ),
    log:
        "<logs>/claims/{claim}.log",
    benchmark:
        "<benchmarks>/claims/{claim}.tsv"
    wildcard_constraints:
        claim="|".join(STUDIED),
    resources:
        mem_mb=2000,
    params:
        results=PLAN.layout.root,
        ablations=as_parameter(config["ablations"]),
        code=lambda wildcards: code_of(
            "arsm_l2r.report.claim_files",
            f"arsm_l2r.analysis.claims.{wildcards.claim}",
        ),
        shown=PLAN.looks,
    message:
        "Judging the claim about {wildcards.claim}"
    shell:
        "python scripts/claims.py"
        " --claims {wildcards.claim:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule ablations:
    input:
        FILES.report,
        # What the page was made from: deleted, it comes back.
        expand(
            FILES.claim("{claim}", "{format}"),
            claim=PLAN.studied,
            format=["json", "csv", *PICTURES],
        ),
