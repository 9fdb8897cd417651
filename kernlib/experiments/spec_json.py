"""The JSON form of a RunSpec, read and written key by key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from ..data import CATALOGUE, why_left_out
from ..errors import DataError
from ..machines import MACHINES
from ..parse import parse, parse_declared
from ..protocols import PROTOCOLS
from ..values.declare import Declared
from .axis import Axis

_VERSION = 2
#: The first letters of an upload's data name; the SHA-256 digest of its rows and labels follows.
UPLOAD = "upload:"

_AGAIN = "Download the run again."
_EXPECTED = "Expected run.json of 'Downloads' on Choose, or spec.json of `python -m kernlib run`."
#: Letters of a text in the file; kernels, machines and protocols may be longer.
_LONGEST = 300
_EXPRESSIONS = ("kernel", "machine", "protocol", "inner", "reference")
_WORDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    type(None): "null",
}


def _axis(key: str, document: Any) -> Axis:
    _require(key, document, dict)
    if set(document) != {"path", "values"}:
        keys = ", ".join(map(_shown, document)) or "none"
        raise DataError(f"The spec: {key} has the keys {keys}; expected path and values. {_AGAIN}")
    _require(f"the path of {key}", document["path"], str)
    _require(f"values of {key}", document["values"], list)
    return Axis(document["path"], tuple(_axis_value(key, value) for value in document["values"]))


def _axis_value(key: str, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_axis_value(key, one) for one in value)
    return math.inf if value == "inf" else None if value is None else _scalar(f"a value of {key}", value)


def _scalar(key: str, value: Any) -> Any:
    if type(value) not in (str, int, float, bool):
        raise DataError(f"The spec: {key:.60} is {_shown(value)}; expected a number or text. {_AGAIN}")
    return value


def _known_data(_: str, name: str) -> str:
    if why_left_out(name):
        raise DataError(f"The spec: {why_left_out(name)}")
    if name not in CATALOGUE and not re.fullmatch(UPLOAD + "[0-9a-f]{64}", name):
        raise DataError(
            f"The spec: data is {_shown(name)}; expected a name of the catalogue, or '{UPLOAD}' and 64 hex digits. "
            "`python -m kernlib datasets` lists the names."
        )
    return name


def _parameters(_: str, given: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, _scalar(f"parameters: {name}", value)) for name, value in given.items())


def _also(key: str, names: list[Any]) -> tuple[str, ...]:
    for name in names:
        _require(f"an entry of {key}", name, str)
    return tuple(names)


def _protocol(_: str, text: str) -> Any:
    return parse_declared(text, PROTOCOLS)


def _itself(_: str, value: Any) -> Any:
    return value


#: The keys of the file in its order, the types of their values, and what reads them. A file may leave out all but
#: version, data and kernel.
_KEYS: dict[str, tuple[tuple[type, ...], Callable[[str, Any], Any]]] = {
    "version": ((int,), _itself),
    "data": ((str,), _known_data),
    "parameters": ((dict,), _parameters),
    "kernel": ((str,), lambda _, text: parse(text)),
    "machine": ((str,), lambda _, text: parse_declared(text, MACHINES)),
    "protocol": ((str,), _protocol),
    "measure": ((str,), _itself),
    "axis": ((dict, type(None)), _axis),
    "second": ((dict, type(None)), _axis),
    "tuning": ((list,), lambda key, axes: tuple(_axis(key, axis) for axis in axes)),
    "inner": ((str,), _protocol),
    "leaky": ((bool,), _itself),
    "selection": ((str,), _itself),
    "draws": ((int,), _itself),
    "also": ((list,), _also),
    "reference": ((str, type(None)), lambda _, text: parse(text)),
    "settled": ((int,), _itself),
}


def text_of(fields: Mapping[str, Any]) -> str:
    """Return the fields of a spec as one JSON object; kernels, machine and protocols are Python expressions."""
    document = {"version": _VERSION} | {key: _written(fields[key]) for key in _KEYS if key != "version"}
    document["parameters"] = dict(fields["parameters"])
    if not fields["settled"]:
        del document["settled"]
    return json.dumps(document, indent=2, allow_nan=False, default=_plain)


def arguments_of(text: str | bytes) -> dict[str, Any]:
    """Return the arguments of the RunSpec that a JSON text describes.

    Raises DataError for other text, an unknown key, a value of another type than the key's, and unknown data;
    ParameterError for a kernel, machine or protocol that cannot be read.
    """
    try:
        document = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(f"The spec is not JSON text{where}. {_EXPECTED}") from None
    if not isinstance(document, dict):
        raise DataError(f"The spec is {_shown(document)}; expected an object with version, data and kernel. {_AGAIN}")
    if document.get("version") != _VERSION:
        raise DataError(f"The spec has version {_shown(document.get('version'))}; expected {_VERSION}. {_AGAIN}")
    unknown = [_shown(key) for key in document if key not in _KEYS]
    if unknown:
        raise DataError(f"The spec has the unknown key {', '.join(unknown)}; expected {', '.join(_KEYS)}. {_AGAIN}")
    for key in ("data", "kernel"):
        _require(key, document.get(key), str)
    arguments = {}
    for key, value in document.items():
        types, read = _KEYS[key]
        _require(key, value, *types)
        arguments[key] = None if value is None else read(key, value)
    del arguments["version"]
    return arguments


def _require(key: str, value: Any, *types: type) -> None:
    if type(value) not in types:
        expected = " or ".join(_WORDS[kind] for kind in types)
        raise DataError(f"The spec: {key} is {_shown(value)}; expected {expected}. {_AGAIN}")
    # The parser limits a kernel's text.
    if isinstance(value, str) and len(value) > _LONGEST and key not in _EXPRESSIONS:
        raise DataError(f"The spec: {key} has {len(value)} letters; expected at most {_LONGEST}. {_AGAIN}")


def _refuse_constant(word: str) -> NoReturn:
    raise DataError(f"The spec holds {word}, which JSON does not know; expected a number. Write infinity as 'inf'.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"The spec has the key {_shown(twice[0])} twice; expected each key once. Delete one of them.")
    return dict(pairs)


def _shown(value: Any) -> str:
    """Return a value as the file writes it, at most forty letters of it."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _written(value: Any) -> Any:
    """Return a field of a spec as JSON holds it."""
    if isinstance(value, Axis):
        # JSON has no infinity: a hard margin's C is written as the word.
        return {"path": value.path, "values": ["inf" if v == math.inf else v for v in value.values]}
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    return repr(value) if isinstance(value, Declared) else value


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no place in a RunSpec")
