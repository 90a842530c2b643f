# from what was measured to what a person reads: tables, figures, page


localrules:
    datasets_table,
    methods_table,
    baselines_table,
    cost_table,
    tables_document,
    draw_figures,
    report_page,


rule datasets_table:
    input:
        expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
    output:
        tex="<results>/tables/datasets.tex",
        html=report(
            "<results>/tables/datasets.html",
            caption="../report/datasets.rst",
            category="Tables",
            labels={"table": "data sets (Table 1)", "format": "HTML"},
        ),
        csv="<results>/tables/datasets.csv",
        md="<results>/tables/datasets.md",
    log:
        "<logs>/tables/datasets.log",
    benchmark:
        "<benchmarks>/tables/datasets.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=subpath(output.html, parent=True),
    message:
        "Making the table of data sets"
    shell:
        "python scripts/tables.py datasets"
        " --data {input:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule methods_table:
    input:
        data="<results>/{dataset}/data.json",
        folds=folds_of,
        measures=measures_of,
    output:
        multiext(
            "<results>/tables/{dataset}",
            ".tex",
            ".csv",
            ".md",
            "_comparison.tex",
            "_comparison.csv",
            "_comparison.md",
            "_comparison_paper.tex",
            "_comparison_paper.csv",
            "_comparison_paper.md",
        ),
        html=report(
            "<results>/tables/{dataset}.html",
            caption="../report/performance.rst",
            category="Tables",
            subcategory="{dataset}",
            labels={"table": "methods (Tables 2 and 3)", "format": "HTML"},
        ),
        comparison=report(
            "<results>/tables/{dataset}_comparison.html",
            caption="../report/comparison.rst",
            category="Tables",
            subcategory="{dataset}",
            labels={"table": "beside the paper's", "format": "HTML"},
        ),
        comparison_paper=report(
            "<results>/tables/{dataset}_comparison_paper.html",
            caption="../report/comparison_paper.rst",
            category="Tables",
            subcategory="{dataset}",
            labels={"table": "beside the paper's, by its equations", "format": "HTML"},
        ),
    log:
        "<logs>/tables/{dataset}.log",
    benchmark:
        "<benchmarks>/tables/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=20,
    params:
        results=lambda wildcards: config["pathvars"]["results"],
        methods=list(METHODS),
        seeds=config["seeds"],
        folder=subpath(output.html, parent=True),
    message:
        "Making the tables of {wildcards.dataset}"
    shell:
        "python scripts/tables.py methods"
        " --data {input.data:q}"
        " --folds {input.folds:q}"
        " --results {params.results:q}"
        " --methods {params.methods:q}"
        " --seeds {params.seeds}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule baselines_table:
    input:
        data="<results>/mq2007/data.json",
        folds=expand("<results>/mq2007/fold{fold}.json", fold=range(1, 6)),
    output:
        multiext("<results>/tables/mq2007_published", ".tex", ".csv", ".md"),
        html=report(
            "<results>/tables/mq2007_published.html",
            caption="../report/baselines.rst",
            category="Tables",
            subcategory="mq2007",
            labels={"table": "baselines beside LETOR's", "format": "HTML"},
        ),
    log:
        "<logs>/tables/mq2007_published.log",
    benchmark:
        "<benchmarks>/tables/mq2007_published.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=subpath(output.html, parent=True),
    message:
        "Making the table of baselines beside those that Microsoft published"
    shell:
        "python scripts/tables.py baselines"
        " --data {input.data:q}"
        " --folds {input.folds:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule cost_table:
    input:
        data=expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
        folds=all_folds(),
    output:
        multiext("<results>/tables/cost", ".tex", ".csv", ".md"),
        html=report(
            "<results>/tables/cost.html",
            caption="../report/cost.rst",
            category="Tables",
            labels={"table": "time and memory", "format": "HTML"},
        ),
    log:
        "<logs>/tables/cost.log",
    benchmark:
        "<benchmarks>/tables/cost.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        benchmarks=benchmarks_folder(),
        folder=subpath(output.html, parent=True),
    message:
        "Making the table of time and memory"
    shell:
        "python scripts/tables.py cost"
        " --data {input.data:q}"
        " --folds {input.folds:q}"
        " --benchmarks {params.benchmarks:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule tables_document:
    input:
        expand("<results>/tables/{name}.tex", name=TABLES),
    output:
        report(
            "<results>/tables/tables.tex",
            caption="../report/tables.rst",
            category="Tables",
            labels={"table": "all of them", "format": "LaTeX"},
        ),
    log:
        "<logs>/tables/tables.log",
    benchmark:
        "<benchmarks>/tables/tables.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        names=TABLES,
        folder=subpath(output[0], parent=True),
    message:
        "Making a document of all tables"
    shell:
        "python scripts/tables.py document"
        " --names {params.names:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule tables:
    input:
        expand(
            "<results>/tables/{name}.{format}",
            name=TABLES,
            format=["tex", "html", "csv", "md"],
        ),
        "<results>/tables/tables.tex",


# figures and page


rule draw_figures:
    input:
        data="<results>/{dataset}/data.json",
        folds=folds_of,
        measures=measures_of,
        histories=histories_of,
    output:
        multiext(
            "<results>/figures/{dataset}/",
            "cutoffs.png",
            "differences.png",
            "spread.png",
            "training.png",
            "jobs.png",
        ),
        cutoffs=report(
            "<results>/figures/{dataset}/cutoffs.svg",
            caption="../report/cutoffs.rst",
            category="Figures",
            subcategory="{dataset}",
            labels={"figure": "NDCG by cut-off"},
        ),
        differences=report(
            "<results>/figures/{dataset}/differences.svg",
            caption="../report/differences.rst",
            category="Figures",
            subcategory="{dataset}",
            labels={"figure": "query by query"},
        ),
        spread=report(
            "<results>/figures/{dataset}/spread.svg",
            caption="../report/spread.rst",
            category="Figures",
            subcategory="{dataset}",
            labels={"figure": "spread over folds and seeds"},
        ),
        training=report(
            "<results>/figures/{dataset}/training.svg",
            caption="../report/training.rst",
            category="Figures",
            subcategory="{dataset}",
            labels={"figure": "training curves"},
        ),
        jobs=report(
            "<results>/figures/{dataset}/jobs.svg",
            caption="../report/jobs.rst",
            category="Figures",
            subcategory="{dataset}",
            labels={"figure": "time and memory per job"},
        ),
        captions="<results>/figures/{dataset}/captions.json",
    log:
        "<logs>/figures/{dataset}.log",
    benchmark:
        "<benchmarks>/figures/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=20,
    params:
        results=lambda wildcards: config["pathvars"]["results"],
        benchmarks=lambda wildcards: benchmarks_folder(),
        folder=subpath(output.captions, parent=True),
    message:
        "Drawing the figures of {wildcards.dataset}"
    shell:
        "python scripts/figures.py"
        " --dataset {wildcards.dataset:q}"
        " --folds {input.folds:q}"
        " --results {params.results:q}"
        " --benchmarks {params.benchmarks:q}"
        " --output {params.folder:q}"
        " 2> {log:q}"


rule figures:
    input:
        expand("<results>/figures/{dataset}/captions.json", dataset=config["datasets"]),


rule report_page:
    input:
        data=expand("<results>/{dataset}/data.json", dataset=config["datasets"]),
        folds=all_folds(),
        measures=all_folds(every_run("measures.parquet")),
        tables=expand("<results>/tables/{name}.html", name=TABLES),
        figures=expand(
            "<results>/figures/{dataset}/captions.json", dataset=config["datasets"]
        ),
    output:
        report(
            "<results>/report.html",
            caption="../report/page.rst",
            category="The report",
            labels={"page": "does the paper hold?"},
        ),
    log:
        "<logs>/report.log",
    benchmark:
        "<benchmarks>/report.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        results=subpath(output[0], parent=True),
        settings=json.dumps(
            {
                "datasets": config["datasets"],
                "seeds": config["seeds"],
                "methods": METHODS,
            }
        ),
        options=lambda wildcards: configuration_options(),
    message:
        "Writing the report"
    shell:
        "python scripts/report.py"
        " --results {params.results:q}"
        " --folds {input.folds:q}"
        " --data {input.data:q}"
        " --settings {params.settings:q}"
        " --options={params.options:q}"
        " --output {output:q}"
        " 2> {log:q}"
