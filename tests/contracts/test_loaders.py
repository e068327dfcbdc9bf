"""Each registered loader keeps each law; a new loader is one file, one line and one sample."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragviz.contracts import Loader
from ragviz.loaders import loaders
from tests.contracts.loader_damage_laws import DAMAGE_LAWS
from tests.contracts.loader_laws import LAWS
from tests.contracts.loader_samples import SAMPLES, Sample
from tests.contracts.loader_writing_laws import WRITING_LAWS

NAMES = loaders.names()
"""Before any other test registers a loader of its own."""


def test_every_loader_has_a_sample() -> None:
    """A loader without one escapes the laws."""
    assert set(NAMES) == set(SAMPLES)


@pytest.mark.parametrize("law", [*LAWS, *DAMAGE_LAWS, *WRITING_LAWS], ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SAMPLES)
def test_loader_law(name: str, law: Callable[[Loader, Sample], None]) -> None:
    """The law holds for this loader on its sample and on junk."""
    law(loaders.make(name), SAMPLES[name])
