"""The work that is killed: batch after batch into a store, each told when it was acknowledged."""

from __future__ import annotations

from ragviz.store import Store
from tests.contracts.store_laws import JUDGE, VIEW, claim, judgement, manifest, note, plain, result
from tests.reliability.crashing import Say

BATCHES, SIZE = 30, 20


def ids(batch: int) -> list[str]:
    """The traces of one batch."""
    return [f"t{batch}-{n}" for n in range(SIZE)]


def work(store: Store, say: Say) -> None:
    """Everything once; running it again over half-done work completes it."""
    store.create_run(manifest())
    for batch in range(BATCHES):
        some = ids(batch)
        store.add_traces("run", [plain(i, tags={"batch": str(batch)}) for i in some])
        say(f"traces {batch}")
        store.add_claim_sets("run", {(i, "rules"): [claim(i)] for i in some})
        store.add_judged("run", JUDGE, {i: [judgement(i)] for i in some}, claim_set="rules", scope=0)
        say(f"judged {batch}")
        store.annotate("run", note(some[0]))
        say(f"noted {batch}")
        store.put_results(VIEW, [result(i) for i in store.missing_results(VIEW)])
        say(f"scored {batch}")
    store.finish_run(manifest())
