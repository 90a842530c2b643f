# from what was measured to what a person reads: analysis -> tables, figures, claims -> page

from arsm_l2r.experiments.layout import FIGURES
from arsm_l2r.experiments.methods import OURS


localrules:
    analyse,
    table,
    tables_document,
    draw_figures,
    judge_tables,
    report_page,


rule analyse:
    input:
        folds=lambda wildcards: [
            PLAN.layout.fold(wildcards.dataset, k)
            for k in PLAN.folds(wildcards.dataset)
        ],
        measures=lambda wildcards: [
            run.files.measures for run in PLAN.runs(wildcards.dataset)
        ],
    output:
        FILES.analysis("{dataset}"),
    log:
        "<logs>/analysis/{dataset}.log",
    benchmark:
        "<benchmarks>/analysis/{dataset}.tsv"
    params:
        results=PLAN.layout.root,
        methods=as_parameter(PLAN.methods),
        seeds=PLAN.seeds,
        code=code_of("arsm_l2r.analysis.dataset"),
        shown=PLAN.looks,
    message:
        "Analysing what was measured on {wildcards.dataset}"
    shell:
        "python scripts/analyse.py"
        " --dataset {wildcards.dataset:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule table:
    input:
        sources=lambda wildcards: PLAN.tables[wildcards.table],
    output:
        multiext(str(FILES.table("{table}", "")), "tex", "csv", "md"),
        html=report(
            FILES.table("{table}", "html"),
            caption="../report/table.rst",
            category="Tables",
            labels={"table": "{table}", "format": "HTML"},
        ),
    log:
        "<logs>/tables/{table}.log",
    benchmark:
        "<benchmarks>/tables/{table}.tsv"
    wildcard_constraints:
        table="|".join(PLAN.tables),
    params:
        results=PLAN.layout.root,
        code=code_of("arsm_l2r.report.table_files"),
        shown=PLAN.looks,
    message:
        "Making the table {wildcards.table}"
    shell:
        "python scripts/tables.py"
        " --table {wildcards.table:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule tables_document:
    input:
        expand(FILES.table("{table}", "tex"), table=PLAN.tables),
    output:
        report(
            FILES.table("tables", "tex"),
            caption="../report/tables.rst",
            category="Tables",
            labels={"table": "all of them", "format": "LaTeX"},
        ),
    log:
        "<logs>/tables/tables.log",
    benchmark:
        "<benchmarks>/tables/tables.tsv"
    params:
        results=PLAN.layout.root,
        tables=list(PLAN.tables),
        code=code_of("arsm_l2r.report.latex"),
    message:
        "Making a document of all tables"
    shell:
        "python scripts/tables.py"
        " --table tables"
        " --results {params.results:q}"
        " 2> {log:q}"


rule tables:
    input:
        expand(FILES.table("{table}", "{format}"), table=PLAN.tables, format=FORMATS),
        FILES.table("tables", "tex"),


rule draw_figures:
    input:
        analysis=FILES.analysis("{dataset}"),
        histories=lambda wildcards: [
            run.files.history
            for run in PLAN.runs(wildcards.dataset)
            if run.name == OURS
        ],
    output:
        expand(
            FILES.figure("{dataset}", "{figure}", "png"),
            figure=FIGURES,
            allow_missing=True,
        ),
        *(
            report(
                FILES.figure("{dataset}", name),
                caption=f"../report/{name}.rst",
                category="Figures",
                subcategory="{dataset}",
                labels={"figure": words},
            )
            for name, words in FIGURES.items()
        ),
        captions=FILES.captions("{dataset}"),
    log:
        "<logs>/figures/{dataset}.log",
    benchmark:
        "<benchmarks>/figures/{dataset}.tsv"
    params:
        results=PLAN.layout.root,
        code=code_of("arsm_l2r.report.figure_files"),
        shown=PLAN.looks,
    message:
        "Drawing the figures of {wildcards.dataset}"
    shell:
        "python scripts/figures.py"
        " --dataset {wildcards.dataset:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule figures:
    input:
        expand(FILES.captions("{dataset}"), dataset=PLAN.datasets),


rule judge_tables:
    input:
        PLAN.descriptions,
        PLAN.analyses,
    output:
        [FILES.claim(name, "json") for name in TABLED],
        expand(FILES.claim("{claim}", "{format}"), claim=DRAWN, format=["csv", "png"]),
        svg=report(
            expand(FILES.claim("{claim}", "svg"), claim=DRAWN),
            caption="../report/claim.rst",
            category="Claims",
        ),
    log:
        "<logs>/claims/tables.log",
    benchmark:
        "<benchmarks>/claims/tables.tsv"
    params:
        results=PLAN.layout.root,
        claims=TABLED,
        code=code_of(
            "arsm_l2r.report.claim_files",
            *(f"arsm_l2r.analysis.claims.{name}" for name in TABLED),
        ),
        shown=PLAN.looks,
    message:
        "Judging the claims about the tables"
    shell:
        "python scripts/claims.py"
        " --claims {params.claims:q}"
        " --results {params.results:q}"
        " 2> {log:q}"


rule report_page:
    input:
        PLAN.descriptions,
        PLAN.analyses,
        claims=lambda wildcards: PLAN.claims_shown(
            asked="ablations" in workflow.dag_settings.targets
        ),
        tables=expand(FILES.table("{table}", "html"), table=PLAN.tables),
        figures=rules.figures.input,
    output:
        report(
            FILES.report,
            caption="../report/page.rst",
            category="The report",
            labels={"page": "does the paper hold?"},
        ),
        FILES.claim("claims", "md"),
    log:
        "<logs>/report.log",
    benchmark:
        "<benchmarks>/report.tsv"
    params:
        results=PLAN.layout.root,
        methods=as_parameter(PLAN.methods),
        seeds=PLAN.seeds,
        ablations=as_parameter(config["ablations"]),
        searches=lambda wildcards: as_parameter(PLAN.searched),
        options=lambda wildcards: configuration_options(),
        code=code_of("arsm_l2r.report.page"),
        shown=PLAN.looks,
    message:
        "Writing the report"
    shell:
        "python scripts/report.py"
        " --results {params.results:q}"
        " --options={params.options:q}"
        " 2> {log:q}"
