"""The echo of the viewer, and the content it is given."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.grounding import groundings
from ragviz.records import (
    Annotation,
    Claim,
    Clash,
    ClashKind,
    Evidence,
    Grounding,
    JudgedTrace,
    Judgement,
    PairKey,
    Passage,
    Provenance,
    Side,
    Span,
    Table,
    Trace,
    Verdict,
)
from ragviz.records.ids import is_made_up, synthetic_passage_id
from ragviz.ui.linked_text import choice_of, echo
from ragviz.ui.linked_text.content import Frame, answer_pieces, build, passage_rows, shown
from ragviz.ui.linked_text.evidence_rows import TokenRow, evidence_rows, matrix_rows, passage_name, places_in_answer
from tests.browser.scenario import a_denied_case

BY = Provenance(judge="j", judge_version="1", params_hash="-")


def a_pair(claim: str, passage: str, verdict: Verdict, quote: str, text: str, **more: object) -> Judgement:
    """A judgement of one pair with one certificate."""
    at = text.index(quote)
    return Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", claim, passage), verdict=verdict, confidence=0.9,
                     evidence=(Evidence(span=Span(at, at + len(quote)), quote=quote),), provenance=BY, **more)  # type: ignore[arg-type]


def a_conflict() -> JudgedTrace:
    """One claim of 90 days: p1 says so too, p2 says 30."""
    response = "Returned within 90 days. Bye."
    one, two = "It is within 90 days.", "It is within 30 days."
    claim = Claim(id="c1", trace_id="t", side=Side.RESPONSE, text="Returned within 90 days", spans=(Span(0, 23),), extractor="rules")
    clash = Clash(kind=ClashKind.DURATION, hypothesis_span=Span(16, 23), premise_span=Span(13, 20), hypothesis_value="90 days", premise_value="30 days")
    passages = tuple(Passage(id=i, text=t, rank=r) for r, (i, t) in enumerate((("p1", one), ("p2", two), ("p3", "Silence.")), start=1))
    said = (a_pair("c1", "p1", Verdict.ENTAILED, "within 90 days", one), a_pair("c1", "p2", Verdict.CONTRADICTED, "within 30 days", two, clashes=(clash,)))
    return JudgedTrace(trace=Trace(id="t", question="How long?", response=response, passages=passages, citations=()), claims=(claim,), judgements=said)


def content_of(case: JudgedTrace) -> dict[str, object]:
    """The content with no words of a page."""
    return build(case, groundings(case, Table.RESPONSE_X_PASSAGES), (), Frame())


class TestEcho:
    """Clicks c1, c2 in quick succession: the answer to c1 must not bring c1 back."""

    def test_the_number_comes_back_with_the_same_claim(self) -> None:
        """Then the browser can tell an old answer from a new one."""
        assert echo("c2", "c2", 7) == 7

    def test_no_number_when_the_url_says_something_else(self) -> None:
        """After Back the URL is c1 while the browser last chose c2: it must obey."""
        assert echo("c1", "c2", 7) is None

    @pytest.mark.parametrize("state", [None, {}, {"selected": None}, {"selected": "c1"}, {"selected": {"id": 5, "seq": "x"}}, 3])
    def test_odd_states_are_no_choice(self, state: object) -> None:
        """What a browser sends is checked before it is believed."""
        assert choice_of(state) == (None, None)

    def test_a_choice_is_read(self) -> None:
        """Claim and number; taking the choice back is a choice too."""
        assert choice_of({"selected": {"id": "c1", "seq": 4}}) == ("c1", 4)
        assert choice_of({"selected": {"id": None, "seq": 5}}) == (None, 5)


class TestContent:
    def test_a_conflict_is_marked_on_all_sides(self) -> None:
        """The answer's 90 days and p2's 30 days clash; p1's 90 days agrees."""
        content = content_of(a_conflict())

        assert content["answer"] == [["Returned within ", [0]], ["90 days", [0], [0]], [". Bye."]]
        passages = content["passages"]
        assert isinstance(passages, list)
        assert passages[0]["t"] == [["It is "], ["within ", [0]], ["90 days", [0], [1]], ["."]]
        assert passages[1]["t"] == [["It is "], ["within ", [1]], ["30 days", [1], [0]], ["."]]
        assert content["tokens"] == [[0, "c"], [0, "s"]]

    def test_the_claim_row_says_verdict_evidence_clash_and_matrix(self) -> None:
        """x = conflicted; supports at p1, contradicts at p2, p3 was not judged."""
        content = content_of(a_conflict())

        assert content["claims"] == [{"id": "c1", "v": "x", "e": [0, 1], "k": [["duration", "90 days", "30 days", "90 days", "30 days", 1, [0]]], "m": "scu"}]
        assert content["evidence"] == [[0, 0, 6, 20, "s", "e", 90], [0, 1, 6, 20, "c", "e", 90]]

    def test_passages_beyond_k_are_marked_and_say_nothing(self) -> None:
        """With k = 1 the contradiction is out of reach: supported."""
        content = content_of(msgspec.structs.replace(a_conflict(), k=1))

        claims, passages = content["claims"], content["passages"]
        assert isinstance(claims, list)
        assert isinstance(passages, list)
        assert (claims[0]["v"], claims[0]["m"]) == ("s", "s  ")
        assert [p.get("out", 0) for p in passages] == [0, 1, 1]

    def test_the_signature_moves_with_the_content_only(self) -> None:
        """Same trace, same word; another k, another word."""
        case = a_conflict()

        assert content_of(case)["signature"] == content_of(case)["signature"]
        assert content_of(case)["signature"] != content_of(msgspec.structs.replace(case, k=1))["signature"]

    def test_hostile_text_is_valid_json_and_hidden_characters_are_named(self) -> None:
        """Lone surrogates, NUL and overrides survive as tokens between the viewer's own delimiters."""
        case = a_conflict()
        nasty = "</script>\ud800\x00\u202e\ue000"
        case = msgspec.structs.replace(case, trace=msgspec.structs.replace(case.trace, question=nasty))

        raw = msgspec.json.encode(content_of(case))

        assert json.loads(raw)["question"] == "</script>\ue000U+D800 NUL RLO U+E000\ue001"
        assert shown("plain") == "plain"

    def test_long_passages_are_shortened_only_where_nothing_is_marked(self) -> None:
        """500,000 characters of filler lose their middle; the evidence stays whole."""
        filler = "x" * 250_000
        passages = (Passage(id="p", text=f"{filler}EVIDENCE{filler}", rank=1),)
        case = msgspec.structs.replace(a_conflict(), trace=msgspec.structs.replace(a_conflict().trace, passages=passages), judgements=(
            a_pair("c1", "p", Verdict.ENTAILED, "EVIDENCE", passages[0].text),))
        rows = evidence_rows(case, case.claims, groundings(case, Table.RESPONSE_X_PASSAGES))

        pieces = passage_rows(passages, rows, [], None, Frame())[0]["t"]

        assert [len(p[0]) < 1000 for p in pieces] == [True, True, True]
        assert pieces[1] == ["EVIDENCE", [0]]
        assert "249,200 characters without evidence left out" in pieces[0][0]


class TestPlaces:
    def test_a_stretch_is_shifted(self) -> None:
        """The claim stands at 10; its characters 3..5 are the answer's 13..15."""
        claim = Claim(id="c", trace_id="t", side=Side.RESPONSE, text="abcdefg", spans=(Span(10, 17),), extractor="rules")

        assert places_in_answer(claim, "0123456789abcdefg", Span(3, 5)) == (Span(13, 15),)

    def test_a_reworded_claim_is_searched(self) -> None:
        """"The fee" was put in front: the words are found in the stretch the claim came from."""
        claim = Claim(id="c", trace_id="t", side=Side.RESPONSE, text="The fee is 5 euros", spans=(Span(4, 15),), extractor="rules")

        assert places_in_answer(claim, "and is 5 euros here", Span(11, 18)) == (Span(7, 14),)
        assert places_in_answer(claim, "and costs nothing", Span(11, 18)) == ()


def test_matrix_letters() -> None:
    """s supports, c contradicts, . silent, u unjudged."""
    case = a_conflict()
    silent = Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p3"), verdict=Verdict.NEUTRAL, provenance=BY)
    case = msgspec.structs.replace(case, judgements=(*case.judgements, silent))

    assert matrix_rows(case, case.claims, []) == ["sc."]


def test_overlapping_claims_share_a_piece() -> None:
    """c1 is 0..6, c2 is 3..9: the middle belongs to both and is drawn once."""
    claims = [
        Claim(id=f"c{i}", trace_id="t", side=Side.RESPONSE, text="", spans=(s,), extractor="rules") for i, s in enumerate((Span(0, 6), Span(3, 9)), start=1)
    ]

    assert answer_pieces("abcdefghi", claims, [], []) == [["abc", [0]], ["def", [0, 1]], ["ghi", [1]]]


def test_a_claim_nobody_judged_is_unjudged() -> None:
    """No grounding at all is the letter u, never "not supported"."""
    case = msgspec.structs.replace(a_conflict(), judgements=())
    content = build(case, {}, (), Frame())

    assert content["claims"][0]["v"] == "u"


def test_words_about_confidence_travel_once() -> None:
    """A thousand claims, two sentences: the rows hold places in a list."""
    claims = tuple(Claim(id=f"c{n}", trace_id="t", side=Side.RESPONSE, text="Yes.", spans=(Span(0, 4),), extractor="rules") for n in range(1000))
    case = JudgedTrace(trace=Trace(id="t", question="?", response="Yes.", passages=()), claims=claims)
    content = build(case, {}, (), Frame(confidences={c.id: f"confidence 0.9{n % 2}, and a long remark" for n, c in enumerate(claims)}))

    assert content["confs"] == ["confidence 0.90, and a long remark", "confidence 0.91, and a long remark"]
    assert [row["conf"] for row in content["claims"][:3]] == [0, 1, 0]


class TestWhoSaysSo:
    """A person's verdict, a judge's evidence and the reference's denial are three things, and are sent as three."""

    def test_a_persons_verdict_comes_with_what_the_judge_said(self) -> None:
        """The mark is Ada's; evidence and clash stay, and are known to be the judge's."""
        note = Annotation(trace_id="t", claim_id="c1", grounding=Grounding.SUPPORTED, author="Ada", at=datetime(2026, 3, 12, tzinfo=UTC), claim_set="rules")
        case = msgspec.structs.replace(a_conflict(), annotations=(note,))
        claim = build(case, groundings(case, Table.RESPONSE_X_PASSAGES), (), Frame(judge="local 1"))["claims"][0]

        assert (claim["v"], claim["h"], claim["j"]) == ("s", 1, "x")
        assert len(claim["e"]) == 2
        assert "h" not in content_of(a_conflict())["claims"][0]  # type: ignore[index]

    def test_the_references_words_are_marked_where_they_deny_a_claim(self) -> None:
        """90 days in the answer, 30 days in the reference, both as one detail; without the diagnosis there is no mark."""
        case = a_denied_case()
        found = groundings(case, Table.RESPONSE_X_PASSAGES)
        plain, content = build(case, found, (), Frame()), build(case, found, (), Frame(denied={"c1"}))

        clashes, quotes = content["claims"][0]["w"]
        assert clashes == [["duration", "90 days", "30 days", "90 days", "30 days"]]
        assert quotes == ["An unopened item can be returned within 30 days of delivery"]
        marked = [(text, tokens) for text, tokens in content["reference"][0] if tokens]
        assert [text for text, _ in marked] == ["30 days"]
        assert marked[0][1][0] in {t for text, _, tokens in ((p[0], p[1], p[2]) for p in content["answer"] if len(p) > 2) for t in tokens if text == "90 days"}
        assert "".join(text for text, _ in content["reference"][0]) == case.trace.reference
        assert not any("w" in claim for claim in plain["claims"])

    def test_a_denial_nobody_put_in_words_is_said_without_a_quote(self) -> None:
        """The diagnosis may rest on the passages that contradict the reference."""
        claim = build(a_conflict(), groundings(a_conflict(), Table.RESPONSE_X_PASSAGES), (), Frame(denied={"c1"}))["claims"][0]

        assert claim["w"] == [[], []]


@pytest.mark.parametrize(("passage", "name"), [
    (Passage(id="sha1:0123456789ab", text="x", rank=3), "passage 3 (no id)"),
    (Passage(id="sha1:0123456789ab", text="x", rank=3, source="help.example/returns"), "help.example/returns"),
    (Passage(id="sha1:0123456789ab", text="x", rank=3, title="Returns", source="help.example"), "Returns"),
    (Passage(id="sha1:0123456789ab", doc_id="d7", text="x", rank=3), "d7"),
    (Passage(id="returns#2", text="x", rank=3, source="help.example"), "returns#2"),
])
def test_nobody_reads_an_id_that_was_only_made_up(passage: Passage, name: str) -> None:
    """Title, document, the file's own id, source, or the place in the list; the id underneath stays as it is."""
    assert passage_name(passage) == name
    assert is_made_up(synthetic_passage_id("x"))


@given(st.lists(st.sampled_from(["**", "`", "\n- ", "\n| ", " |", "word ", "\n```\n", "1 GB ", "<b>x</b> ", "# ", "\n"]), max_size=16), st.data())
def test_markdown_is_set_apart_and_never_taken_out(parts: list[str], data: st.DataObject) -> None:
    """However an answer is marked up: its pieces joined are the answer, and the claim's words are the words of its pieces."""
    response = "".join(parts)
    start = data.draw(st.integers(0, max(0, len(response) - 1)))
    claims = [Claim(id="c1", trace_id="t", side=Side.RESPONSE, text="x", spans=(Span(start, len(response)),), extractor="rules")] if response else []

    pieces = answer_pieces(response, claims, [], [])

    assert "".join(piece[0] for piece in pieces) == response
    assert "".join(piece[0] for piece in pieces if len(piece) > 1 and piece[1]) == response[start:]


def test_signs_step_back_and_words_are_strong_or_code() -> None:
    """The fifth place of a piece says how it is drawn: S a sign, B strong, K code."""
    pieces = answer_pieces("A **b** `c`", [], [], [])

    assert [(p[0], p[4] if len(p) > 4 else "") for p in pieces] == [("A ", ""), ("**", "S"), ("b", "B"), ("**", "S"), (" ", ""), ("`", "S"), ("c", "K"), ("`", "S")]


def test_signs_at_the_edge_of_a_detail_stand_outside_it() -> None:
    """Of "**999** million" the mark holds 999, the signs in between and " million"; the letters of the answer are all there, in their order."""
    response = "It was **999** million and **5**."
    token = TokenRow(claim=0, side="c", answer_spans=(Span(7, 22), Span(27, 32)), passage=0, passage_span=None)

    pieces = answer_pieces(response, [], [], [token])

    assert "".join(piece[0] for piece in pieces) == response
    assert [piece[0] for piece in pieces if piece[2:3] == [[0]]] == ["999", "**", " million", "5"]
