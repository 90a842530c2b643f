"""Our baselines beside Microsoft's, and what all of it cost."""

import polars as pl
import pytest

from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.letor.catalogue import load_catalogue
from arsm_l2r.report.published_table import published_table

from ..made_up import ROOT, analysed, folds

CATALOGUE = load_catalogue(ROOT / "config" / "datasets.yaml")
PUBLISHED = ROOT / str(CATALOGUE["mq2007"].published)


@pytest.mark.parametrize("method", ["listnet", "adarank-map", "adarank-ndcg"])
def test_means_of_the_published_figures_are_the_rows_that_the_paper_prints(method: str) -> None:
    own = pl.read_csv(PUBLISHED).filter(method=method)
    assert own["fold"].to_list() == [1, 2, 3, 4, 5]
    for measure, printed in load_paper().performance["mq2007"].rows[method].values.items():
        if own[measure].null_count():
            assert (method, measure) == ("listnet", "map")  # printed as a mean only
            continue
        assert own[measure].mean() == pytest.approx(printed, abs=6e-5)


def test_ours_stand_above_the_published_ones_with_the_difference() -> None:
    analysis = analysed(folds({"ranksvm": 0.5, "arsm-l2r": 0.6, "listnet": 0.4}))
    table = published_table(analysis, PUBLISHED)
    assert [group.title for group in table.groups] == ["RankSVM", "ListNet"]
    ours, theirs, difference = table.groups[0].rows[:3]
    assert [cell.text for cell in ours] == ["NDCG@1, here", *["0.5000"] * 6]
    assert theirs[1].text == "0.4395"
    assert difference[1].text == "+0.0605"
    assert "MAP, here" not in [row[0].text for row in table.groups[1].rows]
