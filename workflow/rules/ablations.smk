# the paper's claims, each put to the test: variants, other scores, gradients -> claims -> a page


localrules:
    rescore,
    judge_claim,
    claims_page,


rule rescore:
    input:
        parts="data/{dataset}/parts",
        models=lambda wildcards: runs_of(
            [config["ablations"]["method"]],
            config["seeds"],
            "model.npz",
            datasets=[wildcards.dataset],
        ),
    output:
        "<results>/ablations/scorings/{dataset}.parquet",
    log:
        "<logs>/ablations/scorings/{dataset}.log",
    benchmark:
        "<benchmarks>/ablations/scorings/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        results=lambda wildcards: config["pathvars"]["results"],
        method=config["ablations"]["method"],
        folds=lambda wildcards: list(fold_numbers(wildcards)),
        seeds=config["seeds"],
        scorings=config["ablations"]["scorings"],
        settings=lambda wildcards: sorted_json(ablation_settings()),
    message:
        "Scoring {wildcards.dataset} in other ways"
    shell:
        "python scripts/rescore.py"
        " --dataset {wildcards.dataset:q}"
        " --parts {input.parts:q}"
        " --results {params.results:q}"
        " --method {params.method:q}"
        " --folds {params.folds}"
        " --seeds {params.seeds}"
        " --scorings {params.scorings:q}"
        " --settings {params.settings:q}"
        " --threads {threads}"
        " --output {output:q}"
        " 2> {log:q}"


rule gradients:
    input:
        "data/{dataset}/parts",
    output:
        "<results>/ablations/gradients/{dataset}.parquet",
    log:
        "<logs>/ablations/gradients/{dataset}.log",
    benchmark:
        "<benchmarks>/ablations/gradients/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=3000,
        runtime=120,
    params:
        settings=lambda wildcards: sorted_json(ablation_settings()),
        queries=config["ablations"]["gradient_queries"],
        draws=config["ablations"]["gradient_draws"],
    message:
        "Measuring gradients on {wildcards.dataset}"
    shell:
        "python scripts/gradients.py"
        " --dataset {wildcards.dataset:q}"
        " --parts {input:q}"
        " --settings {params.settings:q}"
        " --queries {params.queries}"
        " --draws {params.draws}"
        " --threads {threads}"
        " --output {output:q}"
        " 2> {log:q}"


rule judge_claim:
    input:
        data=expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
        evidence=lambda wildcards: evidence_for(wildcards.claim),
    output:
        multiext("<results>/claims/{claim}", ".csv", ".png"),
        json="<results>/claims/{claim}.json",
        svg=report(
            "<results>/claims/{claim}.svg",
            caption="../report/claim.rst",
            category="Claims",
            labels={"claim": "{claim}"},
        ),
    log:
        "<logs>/claims/{claim}.log",
    benchmark:
        "<benchmarks>/claims/{claim}.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        ablations=sorted_json(config["ablations"]),
        methods=sorted_json(METHODS),
        results=lambda wildcards: config["pathvars"]["results"],
        folder=subpath(output.json, parent=True),
    message:
        "Judging the claim about {wildcards.claim}"
    shell:
        "python scripts/claims.py judge"
        " --claim {wildcards.claim:q}"
        " --data {input.data:q}"
        " --ablations {params.ablations:q}"
        " --methods {params.methods:q}"
        " --results {params.results:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule claims_page:
    input:
        expand(
            "<results>/claims/{claim}.{format}", claim=CLAIMS, format=["json", "svg"]
        ),
    output:
        html=report(
            "<results>/claims/claims.html",
            caption="../report/claims.rst",
            category="The report",
            labels={"page": "the paper's claims"},
        ),
        md="<results>/claims/claims.md",
    log:
        "<logs>/claims/page.log",
    benchmark:
        "<benchmarks>/claims/page.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        ablations=sorted_json(config["ablations"]),
        folder=subpath(output.html, parent=True),
    message:
        "Writing the page of the paper's claims"
    shell:
        "python scripts/claims.py page"
        " --ablations {params.ablations:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule ablations:
    input:
        rules.claims_page.output,
        # What the page was made from: deleted, it comes back.
        expand(
            "<results>/claims/{claim}.{format}",
            claim=CLAIMS,
            format=["json", "csv", "svg", "png"],
        ),
