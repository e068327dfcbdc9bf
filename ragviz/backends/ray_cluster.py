"""
Ray: batches on other processes and other machines, through Ray Data's pool of actors.

A worker that dies is started again and its batch is given to somebody else; who asks gets each answer once. Nothing here knows what is
in a batch: bytes go out, bytes come back.
"""

from __future__ import annotations

import contextlib
import importlib.util
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from ragviz.backends.collector import look_rarely
from ragviz.backends.embedder import BackendState
from ragviz.backends.processes import refuse_too_many
from ragviz.backends.ray_start import quiet_ray, start, told
from ragviz.errors import Cancelled, SetupError

FIX = 'pip install "ragviz[ray]"'
LOOK_S = 0.2
"""How often is looked whether to stop while nothing comes in."""
LEAVE_S = 60.0
"""How long Ray's threads are waited for at the end. Its core ends the whole process when one of them still asks it for something after it was shut down."""
RAYS_THREADS = ("ragviz-ray", "StreamingExecutor", "ray-data", "iter_threaded")
"""How the names of threads begin that speak to Ray's core while a stream runs."""

Worker = Callable[[bytes], bytes]


def available() -> BackendState:
    """Whether Ray is installed. Imports nothing."""
    if importlib.util.find_spec("ray") is None:
        return BackendState(ok=False, reason="the package ray is not installed", fix=FIX)
    if importlib.util.find_spec("pyarrow") is None:
        return BackendState(ok=False, reason="Ray Data needs the package pyarrow", fix=FIX)
    return BackendState(ok=True)


class Remote:
    """An object that lives in another process; can be sent to workers."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __call__(self, method: str, *args: object) -> Any:
        """What the method of that name returns."""
        import ray  # noqa: PLC0415 - in the worker

        return ray.get(getattr(self._handle, method).remote(*args))


class Cluster:
    """A Ray cluster that this process takes part in."""

    def __init__(self, ray: Any, *, n_workers: int) -> None:
        self._ray = ray
        self.n_workers = n_workers
        """Actors that hold a model."""

    def beside_me(self, made: type, *args: object) -> Remote:
        """An object in a process of its own on this machine, whose methods everybody in the cluster may call; started again when it dies."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415 - as ray itself

        here = NodeAffinitySchedulingStrategy(node_id=self._ray.get_runtime_context().get_node_id(), soft=False)
        return Remote(self._ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=here)(made).remote(*args))

    def stream(self, units: Sequence[bytes], worker: Callable[..., Worker], *args: object, stopped: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """
        What workers answer to units, in the order in which answers come in.

        Args:
            units: What is to be done, one block each: what is lost with a worker, and done again, is one unit.
            worker: Makes a worker, once in each process that holds one; must be importable there.
            args: Given to it.
            stopped: Asked several times a second.

        Raises:
            Cancelled: ``stopped`` said so; nothing more is started.
            BackendError: Ray gave up.
        """
        answers: queue.Queue[bytes | BaseException | None] = queue.Queue(maxsize=8)
        left = threading.Event()
        judged = self._judged(units, worker, args)
        before = set(threading.enumerate())

        def give(item: bytes | BaseException | None) -> None:
            while not left.is_set():
                with contextlib.suppress(queue.Full):
                    answers.put(item, timeout=LOOK_S)
                    return

        def follow() -> None:
            # Ray's iteration cannot be interrupted: it has a thread of its own, and the user's Ctrl+C is looked at here.
            try:
                with contextlib.closing(_answers(judged)) as all_:
                    for answer in all_:
                        give(answer)
                        if left.is_set():
                            return
                give(None)
            except BaseException as exc:  # noqa: BLE001 - told to the thread that waits
                give(exc)

        threading.Thread(target=follow, name="ragviz-ray", daemon=True).start()
        try:
            while True:
                if stopped():
                    raise Cancelled("judging was stopped", fix="start it again to go on from here")
                try:
                    item = answers.get(timeout=LOOK_S)
                except queue.Empty:
                    continue
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise told(item) from item
                yield item
        finally:
            left.set()
            _leave(judged, before)

    def _judged(self, units: Sequence[bytes], worker: Callable[..., Worker], args: tuple[object, ...]) -> Any:
        """What is to be done, as a dataset; nothing runs before it is asked for."""
        import pyarrow as pa  # noqa: PLC0415 - only here

        data = self._ray.data
        blocks = data.from_arrow([pa.table({"unit": pa.array([unit], pa.large_binary())}) for unit in units])
        return blocks.map_batches(
            _held(worker, args), batch_size=1, batch_format="pyarrow", num_cpus=1, compute=data.ActorPoolStrategy(size=min(self.n_workers, len(units))),
        )


def _answers(judged: Any) -> Generator[bytes, None, None]:
    for batch in judged.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=1):
        yield from batch.column("answer").to_pylist()


def _leave(judged: Any, before: set[threading.Thread]) -> None:
    """End what still runs, and wait for the threads that began since ``before``."""
    running = getattr(judged, "_current_executor", None)  # Ray offers no public way to end an iteration that waits for a batch
    if running is not None:
        running.shutdown(force=True)
    latest = time.monotonic() + LEAVE_S
    for thread in set(threading.enumerate()) - before:
        if thread.name.startswith(RAYS_THREADS):
            thread.join(max(0.0, latest - time.monotonic()))


def _held(worker: Callable[..., Worker], args: tuple[object, ...]) -> type:
    """The class of which each actor holds one."""

    class Held:
        def __init__(self) -> None:
            look_rarely()
            self._work = worker(*args)

        def __call__(self, batch: Any) -> Any:
            import pyarrow as pa  # noqa: PLC0415 - in the worker

            return pa.table({"answer": pa.array([self._work(unit) for unit in batch.column("unit").to_pylist()], pa.large_binary())})

    return Held


@contextlib.contextmanager
def joined(address: str | None = None, *, n_workers: int | None = None) -> Iterator[Cluster]:
    """
    A cluster until the end of the block.

    Args:
        address: ``auto`` or ``host:port`` of a cluster that runs; None starts one on this machine. Its servers listen on the network: set
            RAY_AUTH_MODE=token and a
            RAY_AUTH_TOKEN before, as the command line does, and nobody else can use it.
        n_workers: Processes that hold a model; None = one for each processor.

    Raises:
        SetupError: Ray is missing, there is no cluster at the address, or so many workers are too many for this machine.
    """
    state = available()
    if not state.ok:
        raise SetupError(f"the ray engine cannot work here: {state.reason}", fix=state.fix)
    if address is not None and address.startswith("ray://"):
        raise SetupError(
            "Ray's client protocol (ray://) cannot read a store that only this machine sees",
            fix="run the command on a node of the cluster, with --address auto",
        )
    if address is None and n_workers is not None:
        refuse_too_many(n_workers)
    ray = quiet_ray()
    was_running = ray.is_initialized()
    try:
        if not was_running:
            start(ray, address, n_workers)
        yield Cluster(ray, n_workers=n_workers or max(1, int(ray.cluster_resources().get("CPU", 1))))
    finally:
        if not was_running:
            ray.shutdown()
