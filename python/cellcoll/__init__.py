# SPDX-License-Identifier: BSD-3-Clause
"""Simulate collective communication on the Cell Broadband Engine: libcellcoll for Python.

    import cellcoll
    machine = cellcoll.Machine("qs20", {"eib.hop": 2})
    rows = [machine.run("bcast:binomial-opt", ranks=16, bytes=2**k) for k in range(6, 15)]

Each result is a dictionary with the columns of `cellcoll run`, and frame(rows) is a table of pandas. Bad input raises Error.
Machine.run and Machine.sweep call the library: the file named by the environment variable CELLCOLL_LIBRARY, else that of the build
beside this module, else the installed libcellcoll.so.1. The methods named after other commands start the program of that library, or
the file named by CELLCOLL_PROGRAM.
"""
from __future__ import annotations

import ctypes
import itertools
import os

from cellcoll import _binding

TYPE_CHECKING = False  # type checkers take it for true; importing typing would double the time of this import
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Union
    Row = Dict[str, Any]
    Size = Union[int, str]
else:
    Row = dict

__all__ = ["Deadlock", "Error", "Fault", "Machine", "Stopped", "WrongResult", "algorithms", "frame", "load_plugin", "load_text", "platforms",
           "version"]


class Error(Exception):
    """A request was refused; the text has the reason."""


class Stopped(Error):
    """A call did not end with the right data. The attribute row has its result."""

    def __init__(self, row: Row) -> None:
        super().__init__(f"{row['algorithm']} on {row['ranks']} ranks with {row['bytes']} bytes: {row['detail']}")
        self.row = row

    def __reduce__(self) -> Any:
        return type(self), (self.row,)


class WrongResult(Stopped):
    """A call ended, and some rank has wrong data."""


class Fault(Stopped):
    """A program did what the machine refuses, such as a DMA of 5 bytes."""


class Deadlock(Stopped):
    """Programs wait for events that never come."""


_place = _binding.find_library()
_library = _binding.open_library(_place)
_ends = [None, WrongResult, Fault, Deadlock]  # enum cellcoll_end
_nobody = _binding.Observer(0)
_Call, _size_of_call = _binding.Call, ctypes.sizeof(_binding.Call)
_plugins: List[str] = []
_texts: Dict[str, str] = {}
_without_data = ("barrier", "goal")  # collectives and kinds of files that move no data of the caller


def _text(value: Any) -> Optional[bytes]:
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{value!r}, expected a text")
    text: bytes = value.encode(errors="surrogateescape") if value.__class__ is str else os.fsencode(value)
    if b"\0" in text:
        raise Error(f"a NUL in {value!r}, expected a text without")
    return text


def _fail() -> NoReturn:
    raise Error(_library.cellcoll_error().decode())


def _unknown(what: str, word: str, known: Iterable[str]) -> str:
    import difflib  # here and below: modules that few callers need are imported late
    nearest = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    return f"no {what} '{word}', expected one of {', '.join(nearest + sorted(set(known) - set(nearest)))}"


def _number(text: str) -> Union[int, float, str]:
    """Return TEXT as a number, if it is one."""
    for kind in int, float:
        try:
            number: Union[int, float] = kind(text)
            return number
        except ValueError:
            pass
    return text


def _bytes(size: Size) -> int:
    """Return SIZE, a number or a text such as "4KiB", in bytes."""
    if not isinstance(size, str):
        if not hasattr(size, "__index__"):
            raise Error(f"bytes={size!r}, expected a whole number or a text such as '4KiB'; Machine.sweep takes several")
        return size
    value = ctypes.c_uint64()
    if _library.cellcoll_read_bytes(_text(size), ctypes.byref(value)) != 0:
        _fail()
    return value.value


def _list(values: Any) -> List[Any]:
    return [values] if isinstance(values, (str, int, float, os.PathLike)) or values is None else list(values)


def _words(option: str, value: Any) -> List[str]:
    """Return the words of an option of the program; False and None leave the option out."""
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, dict):
        return [word for key, values in value.items() for word in _words(option, f"{key}=" + ",".join(map(str, _list(values))))]
    return [option, ",".join(map(str, _list(value)))]


def _watch(observer: Callable[[str], None], raised: List[BaseException]) -> Any:
    """Return a callback for the library: it calls observer with each line until observer raises an exception, added to raised."""
    def watch(_: Any, line: bytes) -> None:
        try:
            if not raised:
                observer(line.decode())
        except BaseException as exception:  # ends the caller's run(), not the simulated program
            raised.append(exception)

    return _binding.Observer(watch)


def _bandwidths(collective: str, n: int, nbytes: int, ns: Optional[float]) -> Dict[str, Optional[float]]:
    """Return columns algbw and busbw of `cellcoll run`; None: nccl-tests has no such collective, or the call takes no time."""
    several = collective in ("allgather", "gather", "scatter", "alltoall", "reducescatter")
    blocks = n if several else 1
    factor = {"bcast": 1, "reduce": 1, "allreduce": 2 * (n - 1) / n}.get(collective, (n - 1) / n if several else None)
    algbw = blocks * nbytes / ns if ns and factor is not None else None
    return {"algbw": algbw, "busbw": None if algbw is None else algbw * factor}


class Machine:
    """A machine: the name of a built-in platform or the path of a file, and settings as a dictionary.

        cellcoll.Machine("qs20", {"eib.hop": 2, "blade.chips": 4})

    A notebook shows the drawing of the machine.
    """

    def __init__(self, platform: str = "qs20", settings: Optional[Dict[str, Any]] = None) -> None:
        self._handle = None
        self.platform, self.settings = platform, dict(settings or {})
        for key, value in self.settings.items():
            if isinstance(value, (list, tuple)):
                raise Error(f"setting {key} has several values, expected one; Machine.sweep takes lists")
        pairs = [_text(f"{key}={value}") for key, value in self.settings.items()]
        array = (ctypes.c_char_p * (len(pairs) + 1))(*pairs, None)
        self._handle = _library.cellcoll_machine_new(_text(platform), array)
        if not self._handle:
            _fail()

    def __del__(self) -> None:
        if self._handle:
            _library.cellcoll_machine_free(self._handle)

    def __repr__(self) -> str:
        return f"Machine({self.platform!r}, {self.settings!r})" if self.settings else f"Machine({self.platform!r})"

    def _repr_svg_(self) -> str:
        return self._program("platform", ["draw", self.platform], {}, platform=False)

    def keys(self) -> List[str]:
        """Return the keys of all parameters, such as "eib.hop".

            values = {key: machine.value(key) for key in machine.keys()}
        """
        names: List[str] = []
        while key := _library.cellcoll_machine_key(self._handle, len(names)):
            names.append(key.decode())
        return names

    def value(self, key: str) -> Union[int, float, str]:
        """Return the value of a parameter, a number where the value is one. A KeyError names the nearest keys.

            machine.value("bif.bandwidth") / 2
        """
        value = _library.cellcoll_machine_value(self._handle, _text(key)).decode()
        if not value and key not in self.keys():
            raise KeyError(_unknown("parameter", key, self.keys()))
        return _number(value)

    def run(self, algorithm: str, ranks: int = 0, bytes: Optional[Size] = None, *, root: int = 0, repeat: int = 1,
            op: Optional[str] = None, type: Optional[str] = None, placement: Optional[str] = None,
            profile: Optional[str] = None, seed: int = 1, skew: int = 0, skew_seed: int = 0, path: bool = False,
            calls: bool = False, observer: Optional[Callable[[str], None]] = None, every_request: bool = False, on_stop: str = "raise",
            **settings: Any) -> Row:
        """Make a call; return the result as a dictionary with the columns of `cellcoll run`, and detail, settings, entered and left.

            machine.run("bcast:binomial-opt", ranks=16, bytes="4KiB")["ns"]

        The arguments are the fields of struct cellcoll_call in cellcoll.h; ranks=0 stands for all ranks of the machine, and bytes
        is required where the collective has data. path: also the cycles of each cause of the critical path, as path_CAUSE.
        calls: also a list of the times of each call of a program, of a mean rank and of the last one, as of `cellcoll run --calls`.
        The other fields are known by name, such as shuffle=7 or delay="0:5000,3:200", in the form of the option of `cellcoll run`.
        observer: a function called with each line of a trace; every_request: the trace has every bus request. A call that stops,
        or ends with wrong data, raises Deadlock, Fault or WrongResult; with on_stop="row" its row is returned, without times.
        Cycles are a whole number, with repeat above 2 a mean.
        """
        if not settings.keys() <= _settings.keys():
            raise Error(_unknown("option", min(settings.keys() - _settings.keys()), _options))
        settings = {name: usual if settings.get(name) is None else settings[name] for name, usual in _settings.items()}
        if on_stop not in ("raise", "row"):
            raise Error(f"on_stop={on_stop!r}, expected 'raise' or 'row'")
        if bytes is None and isinstance(algorithm, str) and _moves_data(algorithm):
            raise Error(f"{algorithm} moves data, expected bytes, such as bytes=1024 or bytes='1KiB'")
        nbytes: Any = bytes if bytes.__class__ is int else _bytes(bytes or 0)
        raised: List[BaseException] = []
        try:
            call = _Call(_size_of_call, _text(algorithm), ranks, root, nbytes, repeat, _text(op), _text(type),
                         _text(placement), _text(profile), seed, skew, skew_seed, bool(path) + 2 * bool(calls),
                         _watch(observer, raised) if observer else _nobody, None, bool(every_request),
                         *(_text(value or None) if _settings[name] == "" else value for name, value in settings.items()))
        except TypeError as error:
            _refuse_type(error, {"algorithm": algorithm, "ranks": ranks, "root": root, "bytes": nbytes, "repeat": repeat, "op": op, "type": type,
                                 "placement": placement, "profile": profile, "seed": seed, "skew": skew, "skew_seed": skew_seed, **settings})
        if (call.ranks, call.root, call.bytes, call.repeat) != (ranks, root, nbytes, repeat) or (
                call.seed, call.skew, call.skew_seed) != (seed, skew, skew_seed) or any(
                getattr(call, name) != value for name, value in settings.items() if not isinstance(value, str)):
            _refuse_number(call, dict(ranks=ranks, root=root, bytes=nbytes, repeat=repeat, seed=seed, skew=skew,
                                      skew_seed=skew_seed, **{name: value for name, value in settings.items() if not isinstance(value, str)}))
        result = _library.cellcoll_run(self._handle, call)
        if raised:
            _library.cellcoll_result_free(result)
            raise raised[0]
        if not result:
            if isinstance(algorithm, str) and not _is_file(algorithm) and (":" not in algorithm or _is_pattern(algorithm)):
                raise Error(f"'{algorithm}' is no algorithm, expected one, such as '{_match(algorithm)[0]}'; Machine.sweep takes several")
            _fail()
        found = result.contents
        stopped = found.end > 1
        row = {
            "algorithm": found.algorithm.decode(), "platform": self.platform, "ranks": found.ranks, "bytes": found.bytes,
            "root": root, "cycles": None if stopped else found.cycles if repeat > 2 else int(found.cycles), "ns": None if stopped else found.ns,
            "bus_requests": found.bus_requests, "eib_bytes": found.eib_bytes, "bif_bytes": found.bif_bytes,
            "verified": None if found.algorithm.startswith(b"goal:") and found.end == 0 else found.end == 0, "profile": found.profile.decode(), "op": found.op.decode(),
            "type": found.type.decode(), "placement": placement or "packed", "skew": skew,
            "cycles_from_first": None if stopped else found.from_first if repeat > 2 else int(found.from_first), "repeat": repeat, "seed": seed,
            "outcome": found.outcome.decode(), "version": _version, "platform_checksum": found.platform_checksum.decode(),
            "skew_seed": skew_seed or seed, "nodes": found.nodes, "net_messages": found.net_messages,
            "net_bytes": found.net_bytes, "net_retransmissions": found.net_retransmissions, "bus": "exact",
            "shuffle": settings["shuffle"], "settings": self.settings,
            **_bandwidths(found.collective.decode(), found.ranks, found.bytes, None if stopped else found.ns),
            **settings, "map": found.map.decode(),
            "detail": found.detail.decode(),
            "entered": found.entered[:found.ranks] if found.entered else None,
            "left": found.left[:found.ranks] if found.left else None,
        }
        if path:
            for share in found.shares[:found.nshares]:
                row["path_" + share.cause.decode()] = share.cycles
        if calls:
            row["calls"] = [{name: value.decode() if name == "name" else None if value != value else value
                             for name, value in ((name, getattr(times, name)) for name, _ in times._fields_)}
                            for times in found.times[:found.ntimes]]
        end = found.end
        _library.cellcoll_result_free(result)
        if end and on_stop == "raise":
            raise _ends[end](row)
        return row

    def sweep(self, algorithms: Union[str, Iterable[str]], ranks: Union[int, Iterable[int]] = 0,
              bytes: Union[None, Size, Iterable[Size]] = None, *, set: Optional[Dict[str, Any]] = None,
              profile: Union[None, str, Iterable[str]] = None, executor: Optional[Executor] = None,
              progress: bool = False, **options: Any) -> Iterator[Row]:
        """Run all combinations and yield their rows, those that a setting tells apart first.

            rows = machine.sweep("allreduce", ranks=[4, 8, 16], bytes=["1KiB", "4KiB"], set={"bif.bandwidth": [10, 20, 40]})

        algorithms: a name, a collective, a pattern such as "bcast:*", or several of these. set: one value or a list for each key.
        A combination that cannot run has the outcome "skipped" and the reason in detail; a call that stops has a row as from
        run(on_stop="row"). The other options are those of run. Unknown names, keys and options raise Error before the first call.
        executor: calls are made by the processes of an executor of concurrent.futures, such as ProcessPoolExecutor(); rows come in
        the same order. A call whose process dies, or that an executor has lost with it, has the outcome "lost" (with on_stop="raise"
        it raises Error). progress: how many rows there are is told on standard error.
        """
        if not options.keys() <= _options:
            raise Error(_unknown("option", min(options.keys() - _options), _options))
        if not all(hasattr(n, "__index__") for n in _list(ranks)):
            raise Error(f"ranks={ranks!r}, expected whole numbers, such as ranks=[2, 4] or ranks=range(2, 9)")
        profiles = {key.split(".")[1] for key in self.keys() if key.startswith("profile.")}
        for name in _list(profile):
            if name is not None and name not in profiles:
                raise Error(_unknown("profile", name, profiles))
        names = [name for word in _list(algorithms) for name in _match(os.fspath(word))]
        sizes = [size if size is None else _bytes(size) for size in _list(bytes)]
        if sizes == [None] and any(map(_moves_data, names)):
            raise Error("the algorithms move data, expected bytes, such as bytes=[1024, '4KiB']")
        settings = [dict(zip(set or {}, values)) for values in itertools.product(*(_list(v) for v in (set or {}).values()))]
        machines = [Machine(self.platform, {**self.settings, **these}) if these else self for these in settings]
        options.setdefault("on_stop", "row")
        if executor is not None:
            from concurrent.futures import Executor
            if not isinstance(executor, Executor):
                raise Error(f"executor={executor!r}, expected an executor of concurrent.futures, such as ProcessPoolExecutor()")
            if options.get("observer"):
                raise Error("an observer of calls in other processes, expected no executor")
        points = ((machine, name, ranks, size, one) for machine, name, one, ranks in itertools.product(machines, names, _list(profile), _list(ranks))
                  for size in (sizes if _moves_data(name) or _is_file(name) else [None]))
        if not (executor or progress):
            return (_row(*point, options) for point in points)
        import cellcoll._sweep
        return cellcoll._sweep.rows(list(points), options, executor, progress)

    def published(self) -> List[Row]:
        """Simulate the measurements of this machine; return a dictionary for each, none if no measured machine has these values.

            errors = {row["id"]: row["error_percent"] for row in machine.published()}
        """
        names = [name for name, _ in _binding.Published._fields_]
        rows = []

        def take(_: Any, row: Any) -> None:
            values = {name: getattr(row.contents, name) for name in names}
            rows.append({name: value.decode() if value.__class__ is not int and hasattr(value, "decode") else value
                         for name, value in values.items()})

        if _library.cellcoll_published(self._handle, _binding.Take(take), None) != 0:
            _fail()
        return rows

    def tune(self, *collectives: str, **options: Any) -> List[Row]:
        """Return the rows of `cellcoll tune`: the fastest algorithm of each call, the next one, and whether the answer is robust.

            machine.tune("allreduce", ranks=16, bytes="4KiB")[0]["best_of_all"]

        Options are those of the command, with _ for -. A list is joined by commas, True stands for an option without value, and
        set is a dictionary as of sweep.
        """
        return self._rows("tune", collectives, options)

    def check(self, *algorithms: str, **options: Any) -> List[Row]:
        """Return the rows of `cellcoll check`, a row for each point; the column result is "pass" or "fail".

            failures = [row for row in machine.check("bcast:one-to-all", ranks="2..4") if row["result"] != "pass"]
        """
        return self._rows("check", algorithms, options)

    def compare(self, *algorithms: str, **options: Any) -> List[Row]:
        """Return the rows of `cellcoll compare`: simulation, refined model and published equation of each call.

            machine.compare("barrier", ranks=[8, 16])
        """
        return self._rows("compare", algorithms, options)

    def explain(self, collective: str, **options: Any) -> List[Row]:
        """Return the rows of `cellcoll explain`, of a collective or a program, an answer in each: question, algorithm, subject, value and unit.

            turns = [row for row in machine.explain("bcast", ranks=16, bytes="4KiB") if row["question"] == "what turns it"]
        """
        return self._rows("explain", [collective], options)

    def bound(self, collective: str, **options: Any) -> Optional[float]:
        """Return the time in ns below which no program for this call can be; None on hosts and several nodes, which have no bound.

            machine.bound("allreduce", ranks=16, bytes="4KiB")

        The options are those of tune, for one call.
        """
        rows = self.tune(collective, **options)
        if len(rows) != 1:
            raise Error(f"the bound of {len(rows)} calls, expected one number of ranks and one size; the rows of tune have bound_ns")
        least: Optional[float] = rows[0]["bound_ns"]
        return least

    def view(self, output: Union[str, os.PathLike[str]], *algorithms: str, **options: Any) -> None:
        """Write the file output: a page (.html) that plays a call, or two side by side, or one moment as a picture (.svg).

            machine.view("call.html", "bcast:binomial-simple", "bcast:binomial-opt", ranks=16, bytes="4KiB")

        The options are those of `cellcoll view`.
        """
        self._program("view", algorithms, {**options, "output": output})

    def _rows(self, command: str, words: Sequence[str], options: Dict[str, Any]) -> List[Row]:
        import json
        rows: List[Row] = json.loads(self._program(command, list(words), {**options, "format": "json"}))["rows"]
        return rows

    def _program(self, command: str, words: Sequence[str], options: Dict[str, Any], platform: bool = True) -> str:
        """Run a command of the program on this machine; return what it prints."""
        words = [command, *words]
        words += ["--platform", self.platform] if platform else []
        words += _words("--set", self.settings)
        words += ["--plugin", ",".join(_plugins)] if platform and _plugins else []
        for name, value in options.items():
            words += _words("--" + name.replace("_", "-"), value)
        return _run_program(words)


def _run_program(words: Sequence[str]) -> str:
    """Run the program with WORDS; return what it prints."""
    import subprocess
    try:
        done = subprocess.run([_binding.find_program(_place), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
    except OSError as error:
        raise Error(f"{error}; expected the program cellcoll in PATH, or its file in CELLCOLL_PROGRAM") from None
    if done.returncode != 0 and not done.stdout.strip():
        raise Error(done.stderr.decode(errors="replace").strip().replace("cellcoll: ", "", 1))
    return done.stdout.decode()


def _row(machine: Machine, name: str, ranks: int, size: Optional[int], profile: Optional[str], options: Dict[str, Any]) -> Row:
    """Return the row of a point of a sweep."""
    try:
        return machine.run(name, ranks, size, profile=profile, **options)
    except Stopped:
        raise
    except Error as error:
        return _row_without(machine, name, ranks, size, profile, "skipped", str(error))


def _row_without(machine: Machine, name: str, ranks: int, size: Optional[int], profile: Optional[str], outcome: str, detail: str) -> Row:
    """Return the row of a point that has not run."""
    return {"algorithm": name, "platform": machine.platform, "ranks": ranks, "bytes": size or 0, "cycles": None, "ns": None, "verified": False,
            "profile": profile or "", "outcome": outcome, "settings": machine.settings, "detail": detail}


# Further fields of a call, after every_request, and their usual values: an argument of run and a column each.
_settings: Dict[str, Any] = {name: "" if kind is ctypes.c_char_p else 0
                             for name, kind in _Call._fields_[[name for name, _ in _Call._fields_].index("every_request") + 1:]}
_options = Machine.run.__annotations__.keys() - {"algorithm", "settings", "return"} | _settings.keys()


def _refuse_number(call: _binding.Call, given: Dict[str, int]) -> None:
    """Raise the error of the first number that does not fit its field of CALL."""
    kinds: Dict[str, Any] = dict(call._fields_)
    for name, value in given.items():
        if getattr(call, name) != value:
            raise Error(f"{name}={value}, expected 0 to {kinds[name](-1).value}")


def _refuse_type(error: TypeError, given: Dict[str, Any]) -> NoReturn:
    """Raise what is wrong with the first value that is no text or no number, as its field of a call is; else ERROR."""
    for name, kind in _Call._fields_:
        value = given.get(name)
        is_text = kind is ctypes.c_char_p
        if name in given and not (value is None or isinstance(value, (str, os.PathLike)) if is_text else hasattr(value, "__index__")):
            expected = "a text" if is_text else "a whole number"
            raise Error(f"{name}={value!r}, expected {expected}" + "; Machine.sweep takes several" * (name in ("algorithm", "ranks", "bytes")))
    raise error


def _is_pattern(word: str) -> bool:
    return not _is_file(word) and any(letter in word for letter in "*?[")


def _is_file(word: str) -> bool:
    """Tell whether WORD is the path of a file, with parameters of the algorithm or without; names of algorithms have no dot."""
    path = word.split(":")[0]
    return "/" in word or "." in path or os.path.exists(path)


def _moves_data(name: str) -> bool:
    """Tell whether the algorithm NAME moves data of the caller; of a file only the library knows."""
    return not _is_file(name) and name.split(":")[0] not in _without_data


def _match(word: str) -> Sequence[str]:
    """Return the algorithms that WORD names: an algorithm with its parameters, a file, a collective, or a pattern of the shell."""
    if _is_file(word):
        if not os.path.exists(word) and not os.path.exists(word.split(":")[0]):
            raise Error(f"{word}: No such file or directory")
        return [word]
    if ":" in word and not _is_pattern(word):
        if ":".join(word.split(":")[:2]) not in algorithms():
            raise Error(_unknown("algorithm", word, algorithms()))
        return [word]
    import fnmatch
    found = [name for name in algorithms() if name.split(":")[0] == word or fnmatch.fnmatchcase(name, word)]
    if not found:
        raise Error(_unknown("algorithm", word, sorted({name.split(":")[0] for name in algorithms()})))
    return found


def algorithms() -> List[str]:
    """Return the names of all algorithms, those of plugins last.

        broadcasts = [name for name in cellcoll.algorithms() if name.startswith("bcast:")]
    """
    names: List[str] = []
    while name := _library.cellcoll_algorithm(len(names)):
        names.append(name.decode())
    return names


def load_plugin(path: str) -> None:
    """Add the algorithms of a plugin.

        cellcoll.load_plugin("./chain.so")
    """
    if _library.cellcoll_load_plugin(_text(path)) != 0:
        _fail()
    _plugins.append(os.path.abspath(path))


def load_text(name: str, text: str) -> None:
    """Let the algorithm sched:NAME be a text of an algorithm, in place of the text of an earlier call with this name.

        cellcoll.load_text("chain", "collective bcast\\nvector\\neach p 0..ranks-2 : put p > p+1 : 0\\n")
    """
    if _library.cellcoll_load_text(_text(name), _text(text)) != 0:
        _fail()
    _texts[name] = text


def platforms() -> List[str]:
    """Return the names of the built-in machines.

        clusters = [name for name in cellcoll.platforms() if "network.topology" in cellcoll.Machine(name).keys()]
    """
    return [line.split(",")[0] for line in _run_program(["list", "platforms", "--format=csv"]).splitlines()[1:]]


def frame(rows: Iterable[Row]) -> Any:
    """Return the rows of run, sweep and the other methods as a DataFrame of pandas, with a column for each setting.

        table = cellcoll.frame([{"ranks": 2, "cycles": 100, "settings": {"eib.hop": 2}}])
    """
    try:
        import pandas
    except ImportError:
        raise Error("frame needs pandas, which is not installed (Debian: python3-pandas)") from None
    return pandas.DataFrame([{**{key: value for key, value in row.items() if key != "settings"}, **(row.get("settings") or {})} for row in rows])


def version() -> str:
    """Return the version of the library.

        print("simulated by cellcoll", cellcoll.version())
    """
    return _version


__version__ = _version = str(_library.cellcoll_version().decode())
