"""Files of TREC's tools: runs, which rank documents by query."""

from collections.abc import Sequence

from arsm_l2r.errors import UserError


def format_run(
    qids: Sequence[int | str],
    docids: Sequence[str | None],
    scores: Sequence[float],
    tag: str,
) -> str:
    """Lines `qid Q0 docid rank score tag`: the documents of each query by falling score.

    Equal scores keep the order of the documents, and queries that of their first documents.

    Args:
        qids: each document's query.
        docids: each document's name; one without is called `{qid}.{position in its query}`.
        scores: each document's score.
        tag: the name of the run.

    Raises:
        UserError: if a name has white space in it, or two documents of a query have the same.
    """
    queries: dict[str, dict[str, float]] = {}
    for qid, docid, score in zip(map(str, qids), docids, scores, strict=True):
        ranked = queries.setdefault(qid, {})
        name = f"{qid}.{len(ranked) + 1}" if docid is None else docid
        for each in (qid, name):
            if len(each.split()) != 1:
                raise UserError(f"{each!r} in query {qid}: a run has no place for white space")
        if name in ranked:
            raise UserError(f"two documents of query {qid} are called {name!r}")
        ranked[name] = float(score)
    return "".join(
        f"{qid} Q0 {name} {rank} {score!r} {tag}\n"
        for qid, ranked in queries.items()
        for rank, (name, score) in enumerate(
            sorted(ranked.items(), key=lambda document: -document[1]), start=1
        )
    )
