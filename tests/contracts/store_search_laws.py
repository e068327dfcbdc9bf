"""Laws of what is found and in which order: alike on every kind of store; imported for their effect: they join the laws of a store."""

from __future__ import annotations

from ragviz.store import Store, TraceFilter, open_store
from tests.contracts.store_laws import VIEW, law, plain, with_traces

TEXTS = {
    "a": "The price is 3.14 or 10.2; write to me@x.org, see https://x.org/a-b/c?d=1.",
    "B": "Über ein Café, naïve, İstanbul, Straße, FOO_bar-baz, snake_case_word.",
    "ä": "返品期限は三十日以内です。",
    "_d": "The buyer pays the return shipping. क्या нужно ½ x² ﬁne a\u0301b",
    "Z": "-5 +7 1e5 12:30 2026-03-01 AT&T C++ C# don't l'eau",
}
QUERIES = (
    "3.14", "1.7", "10.2", "3", "me@x.org", "x.org", "org x", "uber", "Über", "über", "cafe", "CAFÉ", "naive", "naïve", "istanbul", "İstanbul", "strasse", "straße", "foo_bar", "foo_b",
    "bar", "snake_case", "case_word", "_", "foo _", "返品", "三十日", "returns", "retur", '"buyer pays"', '"pays buyer"', '"3.14 or"', '"x org"', "क्या", "нужно", "НУЖ", "½", "uber ½",
    "x²", "fine", "ﬁne", "ab", "áb", "-5", "1e5", "12:30", "2026-03", "AT&T", "C++", "don't", "dont", "l'eau", "https://x.org/a-b", "a-b/c", "d=1", "' & | ! :* <->", "a' | 'b", '"question buyer"',
    '"price the"',
)
FOUND = {
    "3.14": "a", "1.7": "", "me@x.org": "a", "x.org": "a", "uber": "B", "über": "B", "cafe": "B", "CAFÉ": "B", "naive": "B", "strasse": "", "_": "", "foo_b": "B", '"pays buyer"': "",
    '"buyer pays"': "_d", "AT&T": "Z", "2026-03": "Z", "返品": "ä", "' & | ! :* <->": "aBä_dZ",
}


@law
def words_are_found_as_they_are_written(store: Store) -> None:
    """Numbers with a point, addresses, accents, other scripts, signs of a query language: what a file finds, a server finds."""
    file = open_store(":memory:")
    for kind in (store, file):
        with_traces(kind, *[plain(i, response=text) for i, text in TEXTS.items()])
    found, in_file = ({query: "".join(row.id for row in kind.page(VIEW, TraceFilter(text=query))) for query in QUERIES} for kind in (store, file))
    file.close()

    assert FOUND == {query: found.get(query) for query in FOUND}
    assert in_file == found
    assert {query: len(store.passing(VIEW, TraceFilter(text=query))) for query in QUERIES} == {
        query: store.count(VIEW, TraceFilter(text=query)) for query in QUERIES
    }


@law
def nothing_stands_in_a_row_across_question_and_answer(store: Store) -> None:
    """The question's last word and the answer's first are two texts."""
    with_traces(store, plain("a", question="Who pays?", response="The buyer."))

    assert [1, 0, 1] == [store.count(VIEW, TraceFilter(text=query)) for query in ('"who pays"', '"pays the"', "pays the")]


@law
def a_very_long_answer_is_kept_and_found(store: Store) -> None:
    """More different words than a server's index takes, one of 5,000 letters among them: the text is whole, its first words are found."""
    words = " ".join(f"word{n:07d}" for n in range(150_000))
    with_traces(store, plain("a", response=f"lighthouse {'x' * 5_000} {words}"), plain("b", response="b " * 700_000), plain("c"))

    told = {trace.id: trace.response for trace in store.traces("run")}
    assert (len("lighthouse ") + 5_001 + len(words), 1_400_000) == (len(told["a"]), len(told["b"]))
    assert ["a", "a", "a", "c"] == [
        row.id for query in ("lighthouse", "word0000001", "x" * 5_000, '"answer c"') for row in store.page(VIEW, TraceFilter(text=query))
    ]


@law
def ids_are_ordered_by_code_points(store: Store) -> None:
    """Whatever the language of the server: a page of one store is a page of the other."""
    ids = ["b", "A", "a", "_c", "B", "ä", "a-1", "a1", "Z", "10", "9"]
    with_traces(store, *[plain(i, tags={"who": i}) for i in ids])

    assert sorted(ids) == [row.id for row in store.page(VIEW, TraceFilter(), sort="id")]
    assert sorted(ids)[::-1] == [row.id for row in store.page(VIEW, TraceFilter(), sort="id", descending=True)]
    beside = store.neighbours(VIEW, TraceFilter(), "id", "a")
    assert ("_c", "a-1") == (beside.previous, beside.next)
