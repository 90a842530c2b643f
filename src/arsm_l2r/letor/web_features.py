"""Features of made-up web pages: computed from term frequencies, links and clicks, as MSLR's are.

A page has four streams of text (body, anchors, title, URL) and the whole of them. Terms of a query
are drawn in each stream; from their frequencies come, as in MSLR, counts, sums, minima, maxima,
means, variances, tf-idf, BM25 and language models, which are thus strongly correlated. Nothing is
scaled.
"""

from dataclasses import dataclass

import numpy as np

FEATURES = 136
MOST_TERMS = 6
"""A query has 1 to so many terms."""

CONSTANT = {44: 0.0, 69: 0.0, 94: 0.0, 99: 1.0}
"""Features by number (from 1) that are the same everywhere, as if a search engine had no such."""

_DECIMALS = 6

_STREAMS = 4
_BODY, _ANCHOR, _TITLE, _URL = range(_STREAMS)
_DENSITY = (0.004, 0.10, 0.09, 0.06)
"""How frequent a term is in a stream, about, in a page that matches the query as most do."""
_PULL = (0.55, 0.7, 0.5, 0.4)
"""How much more frequent it is with a better match: an exponent."""
_RARER = (0.0, 3.0, 4.0, 5.0, -0.1)
"""By how much a term's idf in a stream, or in the whole page, differs from that in the body."""
_USUAL_LENGTH = (1630, 20, 7.2, 7, 1664)
"""The mean length of the streams and of the whole."""


@dataclass(frozen=True)
class Pages:
    """Hidden properties of pages and of the queries they are found for, one value per page.

    Attributes:
        terms: number of terms of the query.
        rarity: idf of the query's terms, (`MOST_TERMS`, pages).
        demand: how often the query is asked.
        topic: how well body and title match the query.
        praise: how well the text of links to the page does.
        authority: how much the page is linked to.
        popularity: how much it is visited.
        spam: how much it only looks relevant.
    """

    terms: np.ndarray
    rarity: np.ndarray
    demand: np.ndarray
    topic: np.ndarray
    praise: np.ndarray
    authority: np.ndarray
    popularity: np.ndarray
    spam: np.ndarray


def features_of(pages: Pages, generator: np.random.Generator) -> np.ndarray:
    """The 136 features of pages: (pages, 136) float64, rounded to 6 decimals, column by column."""
    lengths = _stream_lengths(pages, generator)
    frequencies = _term_frequencies(pages, lengths, generator)
    streams = [
        _stream_features(pages, length, usual, frequency, pages.rarity + rarer)
        for length, usual, frequency, rarer in zip(
            lengths, _USUAL_LENGTH, frequencies, _RARER, strict=True
        )
    ]
    by_kind = [column for kind in zip(*streams, strict=True) for column in kind]
    matrix = np.stack(by_kind + _page_features(pages, generator))
    for number, value in CONSTANT.items():
        matrix[number - 1] = value
    matrix = np.round(matrix, _DECIMALS) + 0.0  # which turns -0 into 0
    return matrix.T


def _stream_lengths(pages: Pages, generator: np.random.Generator) -> list[np.ndarray]:
    """Numbers of terms of the four streams and of the whole."""
    size = len(pages.topic)
    body = 700 * np.exp(generator.normal(0, 1.3, size))
    anchor = 12 * np.exp(0.9 * pages.authority + generator.normal(0, 1.1, size))
    anchor[generator.random(size) < 0.4] = 0  # nobody links to it
    title = generator.poisson(np.where(generator.random(size) < 0.04, 0, 7.5))
    url = 2 + generator.poisson(5, size)
    lengths = [np.floor(np.minimum(each, 900_000)) for each in (body, anchor, title, url)]
    return [*lengths, sum(lengths, start=np.zeros(size))]


def _term_frequencies(
    pages: Pages, lengths: list[np.ndarray], generator: np.random.Generator
) -> list[np.ndarray]:
    """How often each term occurs in each stream and in the whole: (`MOST_TERMS`, pages) each."""
    shape = pages.rarity.shape
    rare = -0.12 * (pages.rarity - 7)
    stuffing = 0.35 * pages.spam
    match = {
        _BODY: pages.topic + stuffing,
        _ANCHOR: pages.praise,
        _TITLE: pages.topic + stuffing,
        _URL: pages.praise,
    }
    frequencies = []
    for stream in range(_STREAMS):
        tilt = _PULL[stream] * match[stream] + rare + generator.normal(0, 0.6, shape)
        expected = _DENSITY[stream] * lengths[stream] * np.exp(tilt)
        frequencies.append(np.minimum(generator.poisson(expected), lengths[stream]))
    return [*frequencies, sum(frequencies, start=np.zeros(shape))]


def _stream_features(
    pages: Pages, length: np.ndarray, usual: float, frequency: np.ndarray, idf: np.ndarray
) -> list[np.ndarray]:
    """The 25 features of one stream, in the order of MSLR."""
    asked = np.arange(MOST_TERMS)[:, np.newaxis] < pages.terms
    frequency, idf = np.where(asked, frequency, 0), np.where(asked, idf, 0)
    covered = (frequency > 0).sum(axis=0)
    return [
        covered,
        covered / pages.terms,
        length,
        idf.sum(axis=0),
        *_summaries(frequency, asked, pages.terms),
        *_summaries(frequency / np.maximum(length, 1), asked, pages.terms),
        *_summaries(frequency * idf, asked, pages.terms),
        covered == pages.terms,
        _cosine(frequency * idf, idf),
        _bm25(frequency, idf, length / usual),
        *_language_models(frequency, idf, length, asked),
    ]


def _summaries(values: np.ndarray, asked: np.ndarray, terms: np.ndarray) -> list[np.ndarray]:
    """Sum, minimum, maximum, mean and variance over the terms that were asked for."""
    total = values.sum(axis=0)
    mean = total / terms
    least = np.where(asked, values, np.inf).min(axis=0)
    variance = np.where(asked, (values - mean) ** 2, 0).sum(axis=0) / terms
    return [total, least, values.max(axis=0), mean, variance]


def _cosine(page: np.ndarray, query: np.ndarray) -> np.ndarray:
    norms = np.sqrt((page**2).sum(axis=0) * (query**2).sum(axis=0))
    cosine: np.ndarray = (page * query).sum(axis=0) / np.where(norms > 0, norms, 1)
    return cosine


def _bm25(frequency: np.ndarray, idf: np.ndarray, relative_length: np.ndarray) -> np.ndarray:
    saturation = 2.5 * (0.2 + 0.8 * relative_length)
    score: np.ndarray = (idf * 3.5 * frequency / (frequency + saturation)).sum(axis=0)
    return score


def _language_models(
    frequency: np.ndarray, idf: np.ndarray, length: np.ndarray, asked: np.ndarray
) -> list[np.ndarray]:
    """Log likelihoods with absolute discounting, Dirichlet and Jelinek-Mercer smoothing."""
    elsewhere = np.exp(-idf)
    size = np.maximum(length, 1)
    discounted = np.maximum(frequency - 0.7, 0) / size + 0.7 * elsewhere
    dirichlet = (frequency + 2000 * elsewhere) / (length + 2000)
    mixed = 0.9 * frequency / size + 0.1 * elsewhere
    return [
        np.where(asked, np.log(likelihood), 0).sum(axis=0)
        for likelihood in (discounted, dirichlet, mixed)
    ]


def _page_features(pages: Pages, generator: np.random.Generator) -> list[np.ndarray]:
    """URL, links, ranks, quality, clicks and dwell time: the last 11 features."""
    size = len(pages.topic)

    def bell(spread: float) -> np.ndarray:
        return generator.normal(0, spread, size)

    slashes = 1 + generator.poisson(np.exp(0.6 - 0.3 * pages.authority))
    url_length = 18 + 9 * slashes + generator.poisson(12, size)
    inlinks = np.exp(2.0 + 2.2 * pages.authority + bell(2.2)) - 1
    outlinks = np.exp(3.2 + bell(1.2)) - 1
    page_rank = 65_535 / (1 + np.exp(3 - 0.9 * pages.authority + bell(0.8)))
    site_rank = 65_535 / (1 + np.exp(2 - 0.6 * pages.authority + bell(1.2)))
    quality = 255 / (1 + np.exp(1.3 * pages.spam + bell(1.0)))
    other_quality = 255 / (1 + np.exp(1.5 - 1.1 * pages.spam + bell(1.3)))

    seen = pages.demand + 0.5 * pages.topic + 0.8 * pages.popularity
    clicks = np.exp(1.5 + 1.6 * seen + bell(1.5))
    clicks[seen + bell(1.0) < 1.2] = 0
    all_clicks = np.exp(3.5 + 2.8 * pages.popularity + bell(2.2))
    all_clicks[pages.popularity + bell(0.8) < 0] = 0
    dwell = np.round(np.exp(3.5 + 0.7 * pages.popularity - 0.4 * pages.spam + bell(1.0)), 2)
    dwell[all_clicks == 0] = 0
    whole = (slashes, url_length, inlinks, outlinks, page_rank, site_rank, quality, other_quality)
    counted = [np.clip(np.floor(each), 0, 2e9) for each in (*whole, clicks, all_clicks)]
    return [*counted, dwell]
