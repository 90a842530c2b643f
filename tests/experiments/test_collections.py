"""The table of further collections."""

from pathlib import Path

from arsm_l2r.experiments.collections import collections_table

ROOT = Path(__file__).parents[2]


def test_every_collection_has_a_row_with_its_configuration_the_smallest_first() -> None:
    rows = collections_table(ROOT).splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    titles = [each[0] for each in cells]
    assert titles == [
        *("MQ2008", "Yahoo! set 2", "Yahoo! set 1", "MSLR-WEB10K"),
        *("Istella-S", "MSLR-WEB30K", "Istella"),
    ]
    by_title = dict(zip(titles, cells, strict=True))
    assert by_title["MSLR-WEB30K"][1:6] == [
        "`--configfile config/mslr30k.yaml`",
        "31,531",
        "3,771,125",
        "136",
        "5",
    ]
    for each in cells:
        configuration = each[1].strip("`").split()[-1]
        assert (ROOT / configuration).exists()
        assert all(cell.endswith(" GB") for cell in each[6:9])
        assert all(cell.endswith(" h") for cell in each[9:])
