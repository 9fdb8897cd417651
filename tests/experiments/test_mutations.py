"""Specs and journals changed in one place: refused or repaired in plain English, and never other results."""

from __future__ import annotations

import json
import math
import random
import re

import pytest

from kernlib import RBF, DataError, Deep, KernlibError
from kernlib.experiments import Axis, RunSpec, files, run_to, sweep
from kernlib.experiments.files import JOURNAL
from kernlib.machines import SVM
from kernlib.protocols import RepeatedKFold, RepeatedSplits
from kernlib.values.ledger import Ledger
from tests.experiments.problems import run_command, strings_run

FULL = RunSpec(
    "banana",
    Deep(RBF(sigma=1.0)),
    SVM(),
    RepeatedSplits(repeats=3),
    "error",
    Axis("kernel.level", (0, 1, 2)),
    RBF(sigma=2.0),
    (("n", 60), ("seed", 3)),
    tuning=(Axis("machine.C", (1.0, math.inf)),),
    inner=RepeatedKFold(folds=2, repeats=1),
    leaky=True,
    also=("accuracy",),
)

#: In the place of any value.
ODD = [None, True, 0, 5, -1, 1.5, 1e300, "", "abc", [], [1], [[]], {}, {"a": 1}, "9" * 5000, [None], "é\u2028\ud800"]
PYTHON = re.compile(r"NoneType|Traceback|KeyError|TypeError|object has no|positional|<class|unhashable|'int'")


@pytest.mark.parametrize("key", json.loads(FULL.to_json()))
def test_a_key_with_an_odd_value_is_refused_in_plain_words_or_read_as_it_stands(key):
    """17 values for each of the 16 keys, and each key left out."""
    document = json.loads(FULL.to_json())
    for value in ODD:
        check(document | {key: value}, key, value)
        if isinstance(document[key], dict):
            for inner in document[key]:
                check(document | {key: document[key] | {inner: value}}, key, value)
        if isinstance(document[key], list):
            check(document | {key: [*document[key], value]}, key, value)
    check({k: v for k, v in document.items() if k != key}, key, "left out")


def check(document, key, value):
    try:
        spec = RunSpec.from_json(json.dumps(document))
    except KernlibError as error:
        assert not PYTHON.search(str(error)), f"{key} = {value!r}: {error}"
        assert len(str(error)) < 500
        return
    again = json.loads(spec.to_json())
    for name, entry in document.items():
        assert again.get(name, 0) == entry, f"{name} = {entry!r} was read as {again.get(name)!r}"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('"machine":', '"machine": "SVM(C=2.0)", "machine":', 'the key "machine" twice'),
        ('"n": 60', '"n": NaN', "n is NaN; expected a number"),
        ('"n": 60', '"n": -Infinity', "n is -Infinity; expected a number"),
    ],
)
def test_a_key_that_stands_twice_and_a_number_that_json_does_not_know_are_refused(before, after, words):
    with pytest.raises(DataError, match=words):
        RunSpec.from_json(FULL.to_json().replace(before, after))


@pytest.fixture(
    scope="module", params=[FULL, strings_run(second=Axis("machine.C", (0.1, math.inf)))], ids=["", "pairs"]
)
def run(request):
    """A spec and all of its results."""
    results = list(sweep(request.param))
    assert not any(r.problem for r in results)
    return request.param, results


def journal_of(directory, spec, fold_results):
    """The journal of a run, stopped when these results are computed."""

    def stopped(spec, data, **options):
        yield from fold_results
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "sweep", stopped)
        with pytest.raises(KeyboardInterrupt):
            run_to(directory, spec)
    return (directory / JOURNAL).read_bytes()


def mutations(journal):
    """Journals that are cut, or changed in one place, with the number of the first line that is no longer good."""
    chosen, lines = random.Random(0), journal.splitlines()
    for cut in (len(journal) - 1, len(journal) - 20, len(lines[0]) + 1, 40, 0):
        yield journal[:cut], max(1, journal[:cut].count(b"\n"))
    changes = [(chosen.randrange(1, len(lines)), text) for text in TEXTS]
    for i in range(1, len(lines)):
        flipped = bytearray(lines[i])
        flipped[chosen.randrange(1, len(flipped) - 1)] ^= 1
        changes += [(i, bytes(flipped)), (i, json.dumps(json.loads(lines[i]) | {"score": 0.987}).encode())]
    for i, text in changes:
        yield b"\n".join([*lines[:i], text, *lines[i + 1 :]]) + b"\n", i


TEXTS = (b"5", b"[1]", b"null", b"{}", b"[" * 5000, b"\xff\xfe", b"", b"{", b"9" * 5000)


def test_no_change_of_a_journal_changes_the_results(tmp_path, monkeypatch, run):
    spec, whole = run
    journal = journal_of(tmp_path, spec, whole[:-2])
    data, computed = spec.load(), []

    def replayed(spec, data, *, done, **options):
        """What the sweep gives, without the time that it takes."""
        left = [r for r in whole if (r.value, r.split) not in done]
        computed.append(len(left))
        yield from left

    monkeypatch.setattr(files, "sweep", replayed)
    for changed, first in mutations(journal):
        (tmp_path / JOURNAL).write_bytes(changed)
        _, results = run_to(tmp_path, spec, data)
        assert sorted(map(repr, results)) == sorted(map(repr, whole)), changed
        assert computed[-1] == len(whole) + 1 - first, "the lines before the damaged one are kept"


def test_a_damaged_first_line_is_refused_before_anything_is_computed(tmp_path, monkeypatch, run, capsys):
    spec, whole = run
    lines = journal_of(tmp_path, spec, whole).splitlines()
    monkeypatch.setattr(files, "sweep", lambda *args, **named: pytest.fail("computed"))
    for first in (b"5", b"{", b"\xff", lines[0].replace(b"C=1.0", b"C=2.0"), lines[0][:-30] + b"}"):
        before = b"\n".join([first, *lines[1:]]) + b"\n"
        (tmp_path / JOURNAL).write_bytes(before)
        assert run_command(tmp_path, spec, out="") == 2
        assert "an unfinished run with another" in capsys.readouterr().err
        assert (tmp_path / JOURNAL).read_bytes() == before


def test_a_ledger_keeps_any_text(tmp_path):
    records = [{"text": text} for text in ("a\nb", "\u2028\x85", "\ud800", "é", "\0")]
    ledger = Ledger(tmp_path / "l", {"a": 1})
    ledger.append(*records)
    with pytest.raises(DataError, match="another process is writing this run"):
        Ledger(tmp_path / "l", {"a": 1})
    ledger.close()
    again = Ledger(tmp_path / "l", {"a": 1})
    assert again.records == records
    again.delete()
    assert not list(tmp_path.iterdir())
