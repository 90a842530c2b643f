# from what was measured to what a person reads: tables, figures, page


localrules:
    datasets_table,
    methods_table,
    tables_document,


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
            "_comparison.tex",
            "_comparison.csv",
            "_comparison_paper.tex",
            "_comparison_paper.csv",
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
            format=["tex", "html", "csv"],
        ),
        "<results>/tables/tables.tex",


# figures and page
