from itertools import product

import numpy as np
import pytest

from arsm_l2r.training.seeds import Use, generator, stateless_seed

STREAMS = [
    *((seed, Use.WEIGHTS) for seed in range(3)),
    *((seed, Use.ORDER, epoch) for seed, epoch in product(range(3), range(4))),
    *((seed, Use.DRAWS, *where) for seed, *where in product(range(3), range(4), range(4))),
]


def test_every_use_epoch_and_step_has_its_own_stream() -> None:
    assert len({generator(*stream).random() for stream in STREAMS}) == len(STREAMS)
    assert len({tuple(stateless_seed(*stream)) for stream in STREAMS}) == len(STREAMS)


@pytest.mark.parametrize("stream", STREAMS[::7])
def test_stream_does_not_depend_on_what_was_drawn_before(stream: tuple) -> None:
    first = generator(*stream).random(5)
    generator(0, Use.ORDER, 1).random(100)
    assert generator(*stream).random(5).tolist() == first.tolist()
    assert stateless_seed(*stream).tolist() == stateless_seed(*stream).tolist()


def test_seed_for_tensorflow_is_two_whole_numbers() -> None:
    seed = stateless_seed(0, Use.DRAWS, 1, 2)
    assert seed.shape == (2,)
    assert seed.dtype == np.int32
