# SPDX-License-Identifier: BSD-3-Clause
"""Simulate collective communication on the Cell Broadband Engine: libcellcoll for Python.

    import cellcoll
    machine = cellcoll.Machine("qs20", {"eib.hop": 2})
    rows = [machine.run("bcast:binomial-opt", ranks=16, bytes=2**k) for k in range(6, 15)]

Results are dictionaries, so that pandas.DataFrame(rows) is a table. Bad input raises cellcoll.Error. Options have the
names and the meanings of the fields of struct cellcoll_call in cellcoll.h. The library is libcellcoll.so.1, or the file
named by the environment variable CELLCOLL_LIBRARY.
"""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

__all__ = ["Error", "Machine", "algorithms", "load_plugin", "version"]

_Observer = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Error(Exception):
    """A request was refused; the text has the reason."""


class _Call(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("algorithm", c_char_p), ("ranks", c_uint), ("root", c_uint), ("bytes", c_size_t),
                ("repeat", c_uint), ("op", c_char_p), ("type", c_char_p), ("placement", c_char_p),
                ("profile", c_char_p), ("seed", c_uint64), ("skew", c_uint64), ("skew_seed", c_uint64),
                ("wanted", c_uint), ("observer", _Observer), ("context", c_void_p), ("every_request", c_int)]


class _Share(ctypes.Structure):
    _fields_ = [("cause", c_char_p), ("group", c_char_p), ("text", c_char_p), ("cycles", c_uint64)]


class _Result(ctypes.Structure):
    _fields_ = [("algorithm", c_char_p), ("end", c_int), ("outcome", c_char_p), ("detail", c_char_p), ("ranks", c_uint),
                ("bytes", c_size_t), ("cycles", c_double), ("ns", c_double), ("from_first", c_double),
                ("bus_requests", c_uint64), ("eib_bytes", c_uint64), ("bif_bytes", c_uint64), ("nodes", c_uint),
                ("net_messages", c_uint64), ("net_bytes", c_uint64), ("net_retransmissions", c_uint64),
                ("entered", POINTER(c_uint64)), ("left", POINTER(c_uint64)), ("nshares", c_size_t),
                ("shares", POINTER(_Share))]


class _Published(ctypes.Structure):
    _fields_ = [("id", c_char_p), ("quantity", c_char_p), ("unit", c_char_p), ("published", c_double),
                ("simulated", c_double), ("error_percent", c_double), ("role", c_char_p), ("source", c_char_p),
                ("at_most", c_int)]


_Take = ctypes.CFUNCTYPE(None, c_void_p, POINTER(_Published))


def _load(name):
    """Load a shared library; each function is bound at its first call. With SimGrid's thousands this saves a third of the time."""
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.restype, dlopen.argtypes = c_void_p, [c_char_p, c_int]
    handle = dlopen(os.fsencode(name), os.RTLD_LAZY)
    return ctypes.CDLL(name, handle=handle) if handle else ctypes.CDLL(name)  # CDLL raises the error with the reason


def _open():
    name = os.environ.get("CELLCOLL_LIBRARY", "libcellcoll.so.1")
    try:
        library = _load(name)
    except OSError as error:
        raise ImportError(f"{error}; expected libcellcoll to be installed, or its file in CELLCOLL_LIBRARY") from None
    for name, result, arguments in [
            ("version", c_char_p, []), ("error", c_char_p, []),
            ("machine_new", c_void_p, [c_char_p, POINTER(c_char_p)]), ("machine_free", None, [c_void_p]),
            ("machine_value", c_char_p, [c_void_p, c_char_p]), ("machine_ranks", c_uint, [c_void_p, c_char_p]),
            ("algorithm", c_char_p, [c_size_t]), ("load_plugin", c_int, [c_char_p]),
            ("run", POINTER(_Result), [c_void_p, POINTER(_Call)]), ("result_free", None, [POINTER(_Result)]),
            ("published", c_int, [c_void_p, _Take, c_void_p])]:
        function = getattr(library, "cellcoll_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _open()


def _text(value):
    text = None if value is None else os.fsencode(value)
    if text and b"\0" in text:
        raise Error(f"a NUL in {value!r}, expected a text without")
    return text


def _fail():
    raise Error(_library.cellcoll_error().decode())


def _dictionary(structure, names, texts):
    values = {name: getattr(structure, name) for name in names}
    for name in texts:
        values[name] = values[name].decode()
    return values


def _names(structure, omitted=()):
    """Return the names of the fields of a structure except the omitted names, and the names of the fields with texts."""
    fields = [field for field in structure._fields_ if field[0] not in omitted]
    return [name for name, _ in fields], [name for name, kind in fields if kind is c_char_p]


_result_names = _names(_Result, ("end", "entered", "left", "nshares", "shares"))
_published_names = _names(_Published)
_options = {name for name, _ in _Call._fields_[2:13]} | {"every_request"}
_numbers = {name: kind for name, kind in _Call._fields_ if kind in (c_uint, c_size_t, c_uint64)}
_nobody = _Observer()
_size_of_call = ctypes.sizeof(_Call)


def _watch(observer, raised):
    """Return a callback for the library: it calls observer with each line until observer raises an exception, added to raised."""
    def watch(_, line):
        try:
            if not raised:
                observer(line.decode())
        except BaseException as exception:  # ends the caller's run(), not the simulated program
            raised.append(exception)

    return _Observer(watch)


class Machine:
    """A machine: the name of a built-in platform or the path of a file, and settings as a dictionary."""

    def __init__(self, platform="qs20", settings=None):
        self._handle = None
        pairs = [_text(f"{key}={value}") for key, value in (settings or {}).items()]
        self._handle = _library.cellcoll_machine_new(_text(platform), (c_char_p * (len(pairs) + 1))(*pairs, None))
        if not self._handle:
            _fail()

    def __del__(self):
        if self._handle:
            _library.cellcoll_machine_free(self._handle)

    def value(self, key):
        """Return the value of a parameter as a text."""
        return _library.cellcoll_machine_value(self._handle, _text(key)).decode()

    def run(self, algorithm, path=False, observer=None, **options):
        """Make a call; return the result as a dictionary.

        path: also the cycles of each cause of the critical path, as path_CAUSE. observer: a function called with each line of a trace.
        """
        if not options.keys() <= _options:
            raise Error(f"no option '{min(options.keys() - _options)}', expected one of struct cellcoll_call")
        for name, value in options.items():
            if isinstance(value, str):
                options[name] = _text(value)
            elif isinstance(value, int) and name in _numbers and _numbers[name](value).value != value:
                raise Error(f"{name}={value}, expected 0 to {_numbers[name](-1).value}")
        raised = []
        call = _Call(size=_size_of_call, algorithm=_text(algorithm), wanted=1 if path else 0,
                     observer=_watch(observer, raised) if observer else _nobody, **options)
        result = _library.cellcoll_run(self._handle, ctypes.byref(call))
        if raised:
            _library.cellcoll_result_free(result)
            raise raised[0]
        if not result:
            _fail()
        found = result.contents
        row = _dictionary(found, *_result_names)
        row["verified"] = found.end == 0
        ranks = found.ranks
        row["entered"] = found.entered[:ranks] if found.entered else None
        row["left"] = found.left[:ranks] if found.left else None
        for share in found.shares[:found.nshares] if path else []:
            row["path_" + share.cause.decode()] = share.cycles
        _library.cellcoll_result_free(result)
        return row

    def published(self):
        """Simulate the measurements of this machine; return a dictionary for each, none if no measured machine has these values."""
        rows = []
        take = _Take(lambda _, row: rows.append(_dictionary(row.contents, *_published_names)))
        if _library.cellcoll_published(self._handle, take, None) != 0:
            _fail()
        return rows


def algorithms():
    """Return the names of all algorithms."""
    names = []
    while name := _library.cellcoll_algorithm(len(names)):
        names.append(name.decode())
    return names


def load_plugin(path):
    """Add the algorithms of a plugin."""
    if _library.cellcoll_load_plugin(_text(path)) != 0:
        _fail()


def version():
    """Return the version of the library."""
    return _library.cellcoll_version().decode()
