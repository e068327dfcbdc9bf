"""Names to factories."""

from __future__ import annotations

import pytest

from ragviz.contracts import Registry
from ragviz.errors import UnknownName


def a_registry() -> Registry[object]:
    """Two entries, one of which takes an argument."""
    registry: Registry[object] = Registry("judge")
    registry.add("facts")(dict)
    registry.add("nli")(lambda path="": path)
    return registry


class TestRegistry:
    def test_a_misspelt_name_is_corrected(self) -> None:
        """The nearest name and all names are in the fix."""
        with pytest.raises(UnknownName) as caught:
            a_registry().make("fcts")

        assert "'facts'" in caught.value.fix
        assert "nli" in caught.value.fix

    def test_an_argument_follows_a_colon(self) -> None:
        """nli:./model builds nli with "./model"; further colons belong to it."""
        assert a_registry().make("nli:./m:1") == "./m:1"

    def test_two_of_one_name_are_refused(self) -> None:
        """A plug-in cannot silently replace a built-in."""
        registry = a_registry()

        with pytest.raises(ValueError, match="two judges"):
            registry.add("facts")(list)

    def test_names_keep_their_order(self) -> None:
        """As registered."""
        assert a_registry().names() == ["facts", "nli"]

    @pytest.mark.parametrize("name", ["flag:x", "nothing:x", "setting:x", "flag:", "nli:"])
    def test_what_no_entry_takes_is_refused(self, name: str) -> None:
        """A word after the colon is never taken for a flag, never dropped, never a traceback; nor is a colon with nothing after it."""
        def flag(embeddings: bool = True) -> object:
            return embeddings

        def setting(*, api_key: str = "") -> object:
            return api_key

        registry: Registry[object] = Registry("judge")
        registry.add("flag")(flag)
        registry.add("nothing")(object)
        registry.add("setting")(setting)
        registry.add("nli")(lambda path="": path)

        with pytest.raises(UnknownName) as caught:
            registry.make(name)

        assert f"write {name.partition(':')[0]}" in caught.value.fix
