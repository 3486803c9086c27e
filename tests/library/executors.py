# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps by executors give the rows of a sweep without; a worker that dies loses calls, and says so: executors.py KIND PLUGIN, where
bcast:dies of PLUGIN ends its process on three ranks. Prints what is wrong, of KIND mpi "right" before a worker dies, and MPI with it; exit code
77: the module of KIND is not installed."""
import concurrent.futures
import contextlib
import io
import multiprocessing
import sys

import cellcoll


def same(what, found, expected):
    if found != expected:
        print(what, "is", found, "expected", expected)


@contextlib.contextmanager
def executor_of(kind):
    if kind in ("fork", "spawn"):
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(kind)) as executor:
            yield executor
    elif kind == "dask":
        from distributed import Client, LocalCluster
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=60) as cluster, Client(cluster) as client:
            yield client.get_executor(retries=0)
    else:
        from mpi4py.futures import MPIPoolExecutor
        with MPIPoolExecutor(2) as executor:
            yield executor


class ByHand(concurrent.futures.Executor):
    """The second call ends first, the third one never."""

    def __init__(self):
        self.futures = []

    def submit(self, *_):
        self.futures.append(concurrent.futures.Future())
        if len(self.futures) == 2:
            self.futures[1].set_result(1)
            self.futures[0].set_result(0)
        return self.futures[-1]


def main(kind, plugin):
    machine = cellcoll.Machine("qs20", {"eib.hop": 2})
    cellcoll.load_plugin(plugin)
    cellcoll.load_text("chain", "collective bcast\nvector\neach p 0..ranks-2 : put p > p+1 : 0\n")
    call = dict(algorithms=["bcast:tree", "allreduce:scatter-allgather", "sched:chain", "bcast:dies"], ranks=[2, 4], bytes=[64, "1KiB"], set={"bif.bandwidth": [10, 20]})
    expected = list(machine.sweep(**call))
    same("skipped and run", {row["outcome"] for row in machine.sweep("allreduce:scatter-allgather", [2, 3], 64)}, {"ok", "skipped"})
    told = io.StringIO()
    with contextlib.redirect_stderr(told), executor_of(kind) as executor:
        same("rows", list(machine.sweep(**call, executor=executor, progress=True)), expected)
    same("progress", told.getvalue().splitlines()[-1], f"{len(expected)} of {len(expected)} rows")
    if kind == "mpi":  # a process that dies ends all of MPI, and this one
        print("right", flush=True)
        with executor_of(kind) as executor:
            list(machine.sweep("bcast:dies", [3], 64, executor=executor))
        print("a process has died, and MPI goes on")
        return
    with executor_of(kind) as executor:
        rows = list(machine.sweep("bcast:dies", [2, 3, 4], 64, executor=executor))
        same("outcome of a call whose process dies", rows[1]["outcome"], "lost")
        same("its reason", rows[1]["detail"].split(":")[0], "KilledWorker" if kind == "dask" else "BrokenProcessPool")
        same("it", (rows[1]["algorithm"], rows[1]["ranks"], rows[1]["bytes"], rows[1]["cycles"]), ("bcast:dies", 3, 64, None))
        same("the others", {row["outcome"] for row in rows} <= {"wrong", "lost"}, True)
    with executor_of(kind) as executor:
        try:
            list(machine.sweep("bcast:dies", [3], 64, executor=executor, on_stop="raise"))
            print("a lost call raises nothing")
        except cellcoll.Error as error:
            same("the message", str(error).startswith("bcast:dies on 3 ranks with 64 bytes: "), True)
    with executor_of(kind) as executor:  # an exception of a call comes through
        try:
            list(machine.sweep("bcast:lazy", [2], 64, executor=executor, on_stop="raise"))
            print("a wrong result raises nothing")
        except cellcoll.WrongResult as error:
            same("its row", error.row["algorithm"], "bcast:lazy")
    if kind == "fork":
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            try:
                list(machine.sweep("bcast:tree", 2, 64, executor=executor))
                print("threads are not refused")
            except cellcoll.Error as error:
                same("threads", "the executor has threads" in str(error), True)
        by_hand = ByHand()
        rows = machine.sweep("bcast:tree", [2, 3, 4], 64, executor=by_hand)
        same("rows in order, before the last one is there", [next(rows), next(rows)], [0, 1])
        rows.close()
        same("a call that nobody asks for any more is cancelled", by_hand.futures[2].cancelled(), True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ModuleNotFoundError as missing:
        print(missing)
        sys.exit(77)
