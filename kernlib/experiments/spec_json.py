"""The JSON form of a RunSpec, read and written key by key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
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

_LONGEST = 300
_EXPRESSIONS = ("kernel", "machine", "protocol", "inner", "reference")
_AGAIN = "Download the run again."
_EXPECTED = "Expected run.json of 'Downloads' on Choose, or spec.json of `python -m kernlib run`."
_WORDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    type(None): "null",
}
#: The keys of the file, in its order, and what they hold; a file may leave out all but version, data and kernel.
_KEYS: dict[str, tuple[type, ...]] = {
    "version": (int,),
    "data": (str,),
    "parameters": (dict,),
    "kernel": (str,),
    "machine": (str,),
    "protocol": (str,),
    "measure": (str,),
    "axis": (dict, type(None)),
    "second": (dict, type(None)),
    "tuning": (list,),
    "inner": (str,),
    "leaky": (bool,),
    "selection": (str,),
    "draws": (int,),
    "also": (list,),
    "reference": (str, type(None)),
    "settled": (int,),
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
    document = _document(text)
    arguments = {"data": _known_data(document["data"]), "kernel": parse(document["kernel"])}
    for name, classes in (("machine", MACHINES), ("protocol", PROTOCOLS), ("inner", PROTOCOLS)):
        if name in document:
            arguments[name] = parse_declared(document[name], classes)
    for name in ("axis", "second"):
        if document.get(name) is not None:
            arguments[name] = _axis(name, document[name])
    if document.get("reference") is not None:
        arguments["reference"] = parse(document["reference"])
    arguments["tuning"] = tuple(_axis("tuning", axis) for axis in document.get("tuning", ()))
    for name in document.get("also", ()):
        _require("an entry of also", name, (str,))
    arguments["also"] = tuple(document.get("also", ()))
    given = document.get("parameters", {})
    arguments["parameters"] = tuple((name, _scalar(f"parameters: {name}", value)) for name, value in given.items())
    return arguments | {
        name: document[name] for name in ("measure", "leaky", "selection", "draws", "settled") if name in document
    }


def _document(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a text, with the keys and the types of a spec."""
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        document = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise DataError(f"The spec is not JSON (line {error.lineno}, column {error.colno}). {_EXPECTED}") from None
    except UnicodeDecodeError:
        raise DataError(f"The spec is not UTF-8 text. {_EXPECTED}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"The spec is not JSON of a usual size: a number is too long or lists are nested too deeply. {_EXPECTED}"
        ) from None
    if not isinstance(document, dict):
        raise DataError(f"The spec is {_shown(document)}; expected an object with version, data and kernel. {_AGAIN}")
    if document.get("version") != _VERSION:
        raise DataError(f"The spec has version {_shown(document.get('version'))}; expected {_VERSION}. {_AGAIN}")
    unknown = [_shown(key) for key in document if key not in _KEYS]
    if unknown:
        raise DataError(f"The spec has the unknown key {', '.join(unknown)}; expected {', '.join(_KEYS)}. {_AGAIN}")
    for key in ("data", "kernel"):
        if key not in document:
            raise DataError(f"The spec has no key {key}; expected {_WORDS[_KEYS[key][0]]}. {_AGAIN}")
    for key, value in document.items():
        _require(key, value, _KEYS[key])
    return document


def _require(key: str, value: Any, types: tuple[type, ...]) -> None:
    if type(value) not in types:
        expected = " or ".join(_WORDS[kind] for kind in types)
        raise DataError(f"The spec: {key} is {_shown(value)}; expected {expected}. {_AGAIN}")
    # The parser limits a kernel's text.
    if isinstance(value, str) and len(value) > _LONGEST and key not in _EXPRESSIONS:
        raise DataError(f"The spec: {key} has {len(value)} letters; expected at most {_LONGEST}. {_AGAIN}")


def _axis(key: str, document: Any) -> Axis:
    _require(key, document, (dict,))
    if set(document) != {"path", "values"}:
        keys = ", ".join(map(_shown, document)) or "none"
        raise DataError(f"The spec: {key} has the keys {keys}; expected path and values. {_AGAIN}")
    _require(f"the path of {key}", document["path"], (str,))
    _require(f"values of {key}", document["values"], (list,))
    return Axis(document["path"], tuple(_axis_value(key, value) for value in document["values"]))


def _axis_value(key: str, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_axis_value(key, one) for one in value)
    return math.inf if value == "inf" else None if value is None else _scalar(f"a value of {key}", value)


def _scalar(key: str, value: Any) -> Any:
    if type(value) not in (str, int, float, bool):
        raise DataError(f"The spec: {key:.60} is {_shown(value)}; expected a number or text. {_AGAIN}")
    return value


def _known_data(name: str) -> str:
    if why_left_out(name):
        raise DataError(f"The spec: {why_left_out(name)}")
    if name not in CATALOGUE and not re.fullmatch(UPLOAD + "[0-9a-f]{64}", name):
        raise DataError(
            f"The spec: data is {_shown(name)}; expected a name of the catalogue, or '{UPLOAD}' and 64 hex digits. "
            "`python -m kernlib datasets` lists the names."
        )
    return name


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"The spec has the key {_shown(twice)} twice; expected each key once. Delete one of them.")
    return fields


def _refuse_constant(word: str) -> NoReturn:
    raise DataError(f"The spec holds {word}, which JSON does not know; expected a number. Write infinity as 'inf'.")


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
