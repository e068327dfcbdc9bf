"""Run as a program: writes batch after batch into a store and says on stdout what was acknowledged, until it is done or killed."""

from __future__ import annotations

import sys

from ragviz.store import Store, open_store
from tests.contracts.store_laws import JUDGE, VIEW, claim, judgement, manifest, note, plain, result

BATCHES, SIZE = 30, 20


def ids(batch: int) -> list[str]:
    """The traces of one batch."""
    return [f"t{batch}-{n}" for n in range(SIZE)]


def work(store: Store) -> None:
    """Everything once; running it again over half-done work completes it."""
    store.create_run(manifest())
    for batch in range(BATCHES):
        some = ids(batch)
        store.add_traces("run", [plain(i, tags={"batch": str(batch)}) for i in some])
        say("traces", batch)
        store.add_claim_sets("run", {(i, "rules"): [claim(i)] for i in some})
        store.add_judged("run", JUDGE, {i: [judgement(i)] for i in some}, claim_set="rules", scope=0)
        say("judged", batch)
        store.annotate("run", note(some[0]))
        say("noted", batch)
        store.put_results(VIEW, [result(i) for i in store.missing_results(VIEW)])
        say("scored", batch)
    store.finish_run(manifest())


def say(what: str, batch: int) -> None:
    sys.stdout.write(f"{what} {batch}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    work(open_store(sys.argv[1]))
