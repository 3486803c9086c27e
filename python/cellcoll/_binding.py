# SPDX-License-Identifier: BSD-3-Clause
"""The functions and structures of cellcoll.h, for ctypes, and where the library and the program are."""
import ctypes
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

Observer = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Call(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("algorithm", c_char_p), ("ranks", c_uint), ("root", c_uint), ("bytes", c_size_t),
                ("repeat", c_uint), ("op", c_char_p), ("type", c_char_p), ("placement", c_char_p),
                ("profile", c_char_p), ("seed", c_uint64), ("skew", c_uint64), ("skew_seed", c_uint64),
                ("wanted", c_uint), ("observer", Observer), ("context", c_void_p), ("every_request", c_int),
                ("shuffle", c_uint64), ("delay", c_char_p), ("map", c_char_p)]


class Share(ctypes.Structure):
    _fields_ = [("cause", c_char_p), ("group", c_char_p), ("text", c_char_p), ("cycles", c_uint64)]


class Times(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("first_entry", c_double), ("last_entry", c_double), ("end", c_double), ("cycles", c_double),
                ("waiting", c_double), ("collective", c_double), ("computing", c_double), ("messages", c_double)]


class Result(ctypes.Structure):
    _fields_ = [("algorithm", c_char_p), ("end", c_int), ("outcome", c_char_p), ("detail", c_char_p), ("ranks", c_uint),
                ("bytes", c_size_t), ("cycles", c_double), ("ns", c_double), ("from_first", c_double),
                ("bus_requests", c_uint64), ("eib_bytes", c_uint64), ("bif_bytes", c_uint64), ("nodes", c_uint),
                ("net_messages", c_uint64), ("net_bytes", c_uint64), ("net_retransmissions", c_uint64),
                ("entered", POINTER(c_uint64)), ("left", POINTER(c_uint64)), ("nshares", c_size_t),
                ("shares", POINTER(Share)), ("profile", c_char_p), ("op", c_char_p), ("type", c_char_p),
                ("platform_checksum", c_char * 17), ("collective", c_char_p), ("ntimes", c_size_t),
                ("times", POINTER(Times)), ("map", c_char_p)]


class Published(ctypes.Structure):
    _fields_ = [("id", c_char_p), ("quantity", c_char_p), ("unit", c_char_p), ("published", c_double),
                ("simulated", c_double), ("error_percent", c_double), ("role", c_char_p), ("source", c_char_p),
                ("at_most", c_int)]


Take = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Published))


NAME = "libcellcoll.so.1"


def _folders() -> "list[str]":
    """Return the folders where the library of this module may be: of a build in its source, of its prefix, and of the build that pip found."""
    here = os.path.dirname(os.path.abspath(__file__))
    above = os.path.dirname(os.path.dirname(here))
    folders = [os.path.normpath(os.path.join(above, folder)) for folder in ("build/.libs", ".libs", "../../lib")]
    try:
        with open(os.path.join(here, "_folder"), encoding="utf-8") as file:
            return [*folders, file.read()]
    except OSError:
        return folders


def _load(name: str) -> ctypes.CDLL:
    """Load a shared library; each function is bound at its first call."""
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.restype, dlopen.argtypes = c_void_p, [c_char_p, c_int]
    handle = dlopen(os.fsencode(name), os.RTLD_LAZY)
    return ctypes.CDLL(name, handle=handle) if handle else ctypes.CDLL(name)  # CDLL raises the error with the reason


def find_library() -> str:
    """Return the library in CELLCOLL_LIBRARY, else that of this module, else the name that the loader knows."""
    paths = (os.path.join(folder, NAME) for folder in _folders())
    return os.environ.get("CELLCOLL_LIBRARY") or next(filter(os.path.exists, paths), NAME)


def find_program(library: str) -> str:
    """Return the program in CELLCOLL_PROGRAM, else that of the build or the prefix of LIBRARY, else the name that PATH knows."""
    paths = (os.path.join(os.path.dirname(library), other) for other in ("../cellcoll", "../bin/cellcoll"))
    beside = next(filter(os.path.isfile, paths), "") if os.path.dirname(library) else ""
    return os.environ.get("CELLCOLL_PROGRAM") or (os.path.normpath(beside) if beside else "cellcoll")


def open_library(name: str) -> ctypes.CDLL:
    try:
        library = _load(name)
    except OSError as error:
        raise ImportError(f"{error}; expected libcellcoll to be built, installed, or its file in CELLCOLL_LIBRARY") from None
    for name, result, arguments in [
            ("version", c_char_p, []), ("error", c_char_p, []),
            ("machine_new", c_void_p, [c_char_p, POINTER(c_char_p)]), ("machine_free", None, [c_void_p]),
            ("machine_value", c_char_p, [c_void_p, c_char_p]), ("machine_key", c_char_p, [c_void_p, c_size_t]),
            ("machine_ranks", c_uint, [c_void_p, c_char_p]),
            ("algorithm", c_char_p, [c_size_t]), ("load_plugin", c_int, [c_char_p]),
            ("load_text", c_int, [c_char_p, c_char_p]),
            ("read_bytes", c_int, [c_char_p, POINTER(c_uint64)]),
            ("run", POINTER(Result), [c_void_p, POINTER(Call)]), ("result_free", None, [POINTER(Result)]),
            ("published", c_int, [c_void_p, Take, c_void_p])]:
        function = getattr(library, "cellcoll_" + name)
        function.restype, function.argtypes = result, arguments
    return library
