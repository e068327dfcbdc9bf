"""The laws of judges for those that need a service or weights: the real SDK against a local server, and a real cross-encoder built here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.contracts import Judge
from ragviz.errors import JudgeUnavailable
from ragviz.judges.cascade import CascadeJudge
from ragviz.judges.facts import FactsJudge
from ragviz.judges.hosted import AnthropicJudge
from ragviz.judges.local import LocalJudge
from ragviz.judges.nli import NliJudge, label_columns
from ragviz.records import Fact, Pair, PairKey, Table, Verdict
from ragviz.testing import MessagesServer, Scripted, message, verdicts
from ragviz.testing.messages_server import prompt_of
from tests.contracts.test_judges import CHECKS, JudgeCheck

_PASSAGE = re.compile(r"\[\w+ BEGIN PASSAGE (P\d+)\]\n(.*?)\n\[\w+ END PASSAGE\]", re.DOTALL)
_CLAIMS = re.compile(r"\[\w+ BEGIN CLAIMS\]\n(.*?)\n\[\w+ END CLAIMS\]", re.DOTALL)


def verbatim(request: dict[str, Any]) -> Scripted:
    """A service that supports what stands word for word in a passage, and nothing else."""
    text = prompt_of(request)
    passages = _PASSAGE.findall(text)
    rows = []
    for line in _CLAIMS.findall(text)[0].split("\n"):
        label, _, claim = line.partition(": ")
        quotes = [{"passage": p, "relation": "supports", "quote": claim} for p, body in passages if claim and claim in body]
        rows.append({"id": label, "reasoning": "word for word", "verdict": "supported" if quotes else "not_supported", "evidence": quotes, "confidence": 0.9})
    return message(verdicts(rows))


@pytest.fixture(scope="module")
def hosted() -> Iterator[AnthropicJudge]:
    """The hosted judge through the real SDK."""
    with MessagesServer(verbatim) as server:
        yield AnthropicJudge(client=AnthropicClient(api_key="test", base_url=server.url, max_retries=0))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_hosted_judge_contract(hosted: AnthropicJudge, check: JudgeCheck) -> None:
    """Over the wire."""
    check(hosted)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_cascade_contract(hosted: AnthropicJudge, check: JudgeCheck) -> None:
    """Local first, then over the wire."""
    check(CascadeJudge(steps=(LocalJudge(embeddings=False), hosted)))


class TestCascade:
    def test_only_undecided_claims_reach_the_second_judge(self) -> None:
        """The first step is sure of c1 and cannot judge c2: one call, about c2 alone."""
        fact = Fact(attribute="w", value="30 days")
        sure = Pair(
            key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"),
            premise="It is 30 days.",
            hypothesis="w = 30 days",
            premise_facts=(fact,),
            hypothesis_fact=fact,
        )
        open_ = Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c2", "p"), premise="It is 30 days.", hypothesis="It is 30 days.")
        with MessagesServer(verbatim) as server:
            second = AnthropicJudge(client=AnthropicClient(api_key="test", base_url=server.url))
            got = CascadeJudge(steps=(FactsJudge(), second)).judge([sure, open_])

        assert [j.verdict for j in got] == [Verdict.ENTAILED, Verdict.ENTAILED]
        assert [j.rationale.partition(":")[0] for j in got] == ["facts", "anthropic"]
        assert len(server.requests) == 1
        assert "w = 30 days" not in prompt_of(server.requests[0])

    def test_a_step_that_cannot_work_is_told(self) -> None:
        """Before anything is judged."""
        cascade = CascadeJudge(steps=(FactsJudge(), AnthropicJudge(api_key=None)))

        assert not cascade.available().ok
        with pytest.raises(JudgeUnavailable):
            cascade.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise="x", hypothesis="x")])


def tiny_model(folder: Path, labels: tuple[str, ...]) -> Path:
    """A cross-encoder of 16 dimensions with random but fixed weights, saved as any published one is."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "items", "can", "be", "sent", "back", "within", "30", "90", "days", "the", "mast", "is", "21", "metres", "high", "."]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", model_max_length=64
    ).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=64,
                        num_labels=len(labels), id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)})
    model = BertForSequenceClassification(config)
    with torch.no_grad():
        # All weight on the bias: the verdict is known, whatever the text.
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([4.0 if n.lower() == "entailment" else 0.0 for n in labels]))
    model.save_pretrained(folder, safe_serialization=True)
    return folder


@pytest.fixture(scope="module", params=[("contradiction", "entailment", "neutral"), ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")], ids=["order-1", "order-2"])
def nli(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NliJudge:
    """The NLI judge on a model with the labels in this order."""
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    return NliJudge(str(tiny_model(tmp_path_factory.mktemp("nli"), request.param)))


@pytest.mark.weights
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nli_judge_contract(nli: Judge, check: JudgeCheck) -> None:
    """With a real model, tiny."""
    check(nli)


@pytest.mark.weights
def test_label_order_is_read_from_the_model(nli: NliJudge) -> None:
    """The model always says entailment; a judge that assumed an order would say contradiction for one of the two."""
    (got,) = nli.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise="The mast is 21 metres high.", hypothesis="The mast is high.")])

    assert got.verdict is Verdict.ENTAILED
    assert got.confidence is not None
    assert got.confidence > 0.9


@pytest.mark.weights
def test_long_passages_are_read_in_windows(nli: NliJudge) -> None:
    """A passage of 300 sentences is far beyond 64 word pieces: all of it is read, and the evidence lies in it."""
    premise = "The mast is 21 metres high. " * 300

    (got,) = nli.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise=premise, hypothesis="The mast is high.")])

    assert got.verdict is Verdict.ENTAILED
    assert all(e.span.of(premise) == e.quote for e in got.evidence)


class TestLabels:
    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            ((), (0, None)),
            (("entailment", "not_entailment"), (0, None)),
            (("hallucinated", "consistent"), (1, None)),
            (("neutral", "entailment", "contradiction"), (1, 2)),
            (("entailment", "contradiction"), (0, None)),
        ],
    )
    def test_two_and_three_way_heads(self, labels: tuple[str, ...], expected: tuple[int, int | None]) -> None:
        """Two-way heads cannot tell contradiction from silence."""
        assert label_columns(labels, "m") == expected

    @pytest.mark.parametrize("labels", [("label_0", "label_1", "label_2"), ("entailment", "entailed"), ("neutral", "contradiction"), ("entailment", "sports")])
    def test_names_that_do_not_say_are_refused(self, labels: tuple[str, ...]) -> None:
        """A guess would turn contradiction into entailment without any error."""
        with pytest.raises(JudgeUnavailable):
            label_columns(labels, "m")


class TestAvailability:
    def test_says_what_is_missing(self, tmp_path: Path) -> None:
        """No name, no folder, no config, pickled weights only."""
        (tmp_path / "empty").mkdir()
        pickled = tmp_path / "pickled"
        pickled.mkdir()
        (pickled / "config.json").write_text("{}")
        (pickled / "pytorch_model.bin").write_bytes(b"x")
        for model in ("", "./no/such/folder", str(tmp_path / "empty"), str(pickled)):
            state = NliJudge(model).available()
            assert not state.ok
            assert state.reason
            assert state.fix
