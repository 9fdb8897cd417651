"""A lesson: steps that show, ask, reveal and explain; read from a Markdown file with blocks of TOML and checked."""

from __future__ import annotations

import inspect
import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import numpy as np

from ..core.base import Kernel
from ..data import CATALOGUE, Dataset, load_dataset, target_of, why_left_out
from ..errors import DataError, KernlibError
from ..experiments import available_axes, gram_cost, with_value
from ..machines import SVM
from ..parse import parse
from ..values.declare import ordinary, shown
from ..values.domains import Domain
from .quantities import Quantity, Scene, in_terms
from .questions import KINDS, Choose, Order, Question

#: The figures that a step can show, by name.
FIGURES = (
    "rows",
    "gram",
    "feature map",
    "coefficients",
    "border",
    "signal and noise",
    "staircase",
    "new row",
    "errors of a hundred kernels",
    "pair",
)
#: Maximum size of a lesson file, in bytes.
MAX_BYTES = 200_000
#: Maximum number of words in the text of a step, and of an explanation.
MAX_WORDS, MAX_EXPLANATION = 40, 60
#: Maximum number of dots in a line of TOML: its parser takes the square of the parts of a dotted name.
MAX_DOTS = 200
#: Minimum and maximum number of steps of a lesson.
FEWEST, MOST = 4, 7

Kind = Literal["look", "predict", "reveal", "explain"]


class LessonError(DataError):
    """A mistake in a lesson file, with its file and line."""


class LeftOutError(LessonError):
    """A lesson on data that are not installed."""


@dataclass(frozen=True)
class View:
    """What a step shows: rows, kernel and figure; `path` names the one parameter that a slider moves over `values`.

    `rows` are strings, or tuples of categories with names `columns`; `shuffled` permutes the labels; `symbol` names the
    slider's number; `colours` are both ends of the colour scale of a Gram matrix, for all values of the slider; `pair`
    are the ids of the rows in the figure `pair`.
    """

    data: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    rows: tuple[str | tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    shuffled: bool = False
    kernel: str = ""
    figure: str = "gram"
    path: str = ""
    values: tuple[Any, ...] = ()
    start: int = 0
    symbol: str = ""
    colours: tuple[float, float] | None = None
    pair: tuple[str, str] | None = None

    def scene(self, **changes: Any) -> Scene:
        """Return the data set and the kernel, with parameters changed by their path: ``**{"kernel.p": 0.5}``."""
        parameters, kernel, machine = dict(self.parameters), parse(self.kernel), {}
        for path, value in changes.items():
            part, _, name = path.partition(".")
            if part == "data":
                parameters[name] = value
            elif part == "machine":
                machine[name] = value
            else:
                kernel = with_value(kernel, name.split("."), value) if name else parse(value)
        data = self._load(parameters)
        target = partial(target_of, self.data, data.rows, **parameters) if self.data else None
        return Scene(data, kernel, target, colours=self.colours, pair=self.pair, **machine)

    def evaluated(self, changes: Mapping[str, Any]) -> Scene:
        """Return the scene of `changes` with its Gram matrix."""
        scene = self.scene(**changes)
        _ = scene.gram
        return scene

    def _load(self, parameters: Mapping[str, Any]) -> Dataset:
        if self.rows:
            names = tuple(row if isinstance(row, str) else ", ".join(row) for row in self.rows)
            ids = names if len(set(names)) == len(names) else ()
            rows = np.array(self.rows, dtype=object)
            labels = np.array(self.labels) if self.labels else None
            domain: Domain = "sequence" if rows.ndim == 1 else "categorical"
            data = Dataset("story", "Rows of this lesson", domain, rows, labels, ids=ids, columns=self.columns)
        else:
            data = load_dataset(self.data, **parameters)
        if self.shuffled and data.y is not None:
            return replace(data, y=np.random.default_rng(0).permutation(data.y))
        return data


@dataclass(frozen=True)
class Notes:
    """The lecturer's notes: a question to ask, the usual answers of students, minutes."""

    ask: str = ""
    students: str = ""
    minutes: float = 1.0


@dataclass(frozen=True)
class Step:
    """One screen of a lesson."""

    kind: Kind
    title: str
    text: str
    view: View
    line: int
    question: Question | None = None
    notes: Notes = field(default_factory=Notes)
    formula: str = ""
    source: str = ""


@dataclass(frozen=True)
class Lesson:
    """A title, a question for the card, and four to seven steps."""

    name: str
    title: str
    question: str
    minutes: int
    source: str
    steps: tuple[Step, ...]


def read_lesson(text: str | bytes, name: str = "lesson", most: float = math.inf) -> Lesson:
    """Return the lesson that a Markdown file holds; no Gram matrix of it takes longer than `most` seconds, estimated.

    Raises LessonError, which names the line, what was expected, what was found and the next step.
    """
    if isinstance(text, bytes):
        if len(text) > MAX_BYTES:
            raise LessonError(f"{name}: the file has {len(text):,} bytes; expected at most {MAX_BYTES:,}. Shorten it.")
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise LessonError(
                f"{name}, line {line}: the text is not UTF-8; expected UTF-8. Save the file with that encoding."
            ) from None
    lesson = _Reader(name, text).lesson()
    if most < math.inf:
        _check_cost(lesson, most)
    return lesson


def read_shelf(folder: Path) -> tuple[Lesson, ...]:
    """Return all lessons of a folder in the order of their file names, without those on data that are left out."""
    lessons = []
    for path in sorted(folder.glob("*.md")):
        with suppress(LeftOutError):
            lessons.append(read_lesson(path.read_bytes(), path.stem))
    return tuple(lessons)


def _check_cost(lesson: Lesson, most: float) -> None:
    """Check that no Gram matrix of a lesson takes longer than `most` seconds; of a range, its first and last value."""
    known: dict[str, float] = {}
    for step in lesson.steps:
        view = step.view
        changes: list[dict[str, Any]] = [{view.path: value} for value in (*view.values[:1], *view.values[-1:])] or [{}]
        if step.question is not None:
            of = [change for _, change, _ in step.question.variants]
            changes += of if step.question.kernels else [*of[:1], *of[-1:]]
        for change in changes:
            scene = view.scene(**change)
            key = repr((scene.kernel, scene.data.digest))
            if key not in known:
                known[key] = gram_cost(scene.kernel.specification, scene.data).seconds
            if known[key] > most:
                seconds = f"about {known[key]:.0f} seconds"
                do = "Take fewer rows or another kernel."
                _fail(lesson.name, step.line, "a Gram matrix takes too long", f"at most {most:g} seconds", seconds, do)


def _fail(
    file: str, line: int, wrong: str, expected: str, found: Any = None, do: str = "Correct this line."
) -> NoReturn:
    got = "" if found is None else f"; found {shown(found)}"
    raise LessonError(f"{file}, line {line}: {wrong}; expected {expected}{got}. {do}")


@dataclass
class _Block:
    """One block of TOML, whose values are checked as they are read."""

    file: str
    name: str
    line: int
    lines: list[str]
    values: dict[str, Any] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def line_of(self, key: str) -> int:
        """Return the line of a key, or that of the block."""
        for number, line in enumerate(self.lines, start=self.line + 1):
            if re.match(rf'\s*"?{re.escape(key)}"?\s*=|\s*\[{re.escape(key)}\]', line):
                return number
        return self.line

    def fail(self, key: str, *words: Any) -> NoReturn:
        """Raise LessonError at the line of a key; `words` as in `_fail`."""
        _fail(self.file, self.line_of(key), *words)

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value as it is, which makes its name known."""
        self.known.add(key)
        return self.values.get(key, default)

    def end(self) -> None:
        """Check that all names are known, after all values are read."""
        for key in self.values:
            if key not in self.known:
                self.fail(key, f"unknown name in {self.name}", f"one of {', '.join(sorted(self.known)) or 'none'}", key)

    def value(self, key: str, kind: Any, default: Any) -> Any:
        value = self.get(key, default)
        if not isinstance(value, kind) or not (kind in (str, dict) or ordinary(value)):
            words = {str: "a text in quotation marks", int: "a whole number", dict: "names with values: {seed = 0}"}
            self.fail(key, f"{key} has the wrong type", words.get(kind, "a finite number"), value)
        return value

    def number(self, key: str, default: float, low: float = -math.inf, high: float = math.inf) -> Any:
        """Return a number within both ends; a whole one where the default is one."""
        value = self.value(key, int if isinstance(default, int) else (int, float), default)
        if not low <= value <= high:
            self.fail(key, f"{key} is out of range", f"{low:g} to {high:g}", value)
        return type(default)(value)

    def choice(self, key: str, known: Iterable[str], default: str = "") -> Any:
        value = self.value(key, str, default)
        if value not in known:
            self.fail(key, f"unknown {key}", f"one of {', '.join(known)}", value)
        return value

    def items(self, key: str, fewest: int, most: int, kind: Any = str, such_as: str = '["a", "b"]') -> tuple[Any, ...]:
        value = self.get(key)
        if (
            not isinstance(value, list)
            or not fewest <= len(value) <= most
            or not all(isinstance(v, kind) for v in value)
        ):
            self.fail(key, f"{key} is not a list of {fewest} to {most} items", f"such as {such_as}", value)
        return tuple(value)


@dataclass
class _Section:
    title: str
    line: int
    text: list[str] = field(default_factory=list)
    blocks: dict[str, _Block] = field(default_factory=dict)


#: The beginning of an HTML tag, and of a picture in Markdown.
_REFUSED = re.compile(r"<[a-zA-Z/!]|!\[")
_BLOCKS = ("lesson", "view", "predict", "reveal", "explain", "notes")


@dataclass
class _Reader:
    """Reads one file; `fail` names the line of a mistake."""

    name: str
    text: str

    def fail(self, line: int, *words: Any, **more: str) -> NoReturn:
        _fail(self.name, line, *words, **more)

    def lesson(self) -> Lesson:
        head, *sections = self._sections()
        if not head.title:
            self.fail(1, "the lesson has no title", "a first line such as '# How deep?'")
        block = head.blocks.get("lesson")
        if block is None:
            self.fail(head.line, "the lesson has no block ```toml lesson", "minutes and source", do="Add the block.")
        minutes = block.number("minutes", 10, 1, 120)
        if not FEWEST <= len(sections) <= MOST:
            line = sections[MOST].line if len(sections) > MOST else head.line
            self.fail(line, f"the lesson has {len(sections)} steps", f"{FEWEST} to {MOST} lines that begin with ##")
        question, source = self._words(head, MAX_WORDS), block.value("source", str, "")
        if not question:
            self.fail(head.line, "the lesson has no question", "a sentence under the title")
        block.end()
        steps: list[Step] = []
        for section in sections:
            steps.append(self._step(section, steps))
            for block in section.blocks.values():
                block.end()
        return Lesson(self.name, head.title, question, minutes, source, tuple(steps))

    # -- the file as sections and blocks ----------------------------------------------------------

    def _sections(self) -> list[_Section]:
        sections, block = [_Section("", 1)], None
        for number, line in enumerate(self.text.splitlines(), start=1):
            if block is not None:
                if line.strip() == "```":
                    self._close(block)
                    block = None
                else:
                    block.lines.append(line)
            elif line.startswith("```"):
                block = self._open(line, number, sections[-1])
            elif line.startswith("## "):
                sections.append(_Section(line[3:].strip(), number))
            elif line.startswith("# ") and len(sections) == 1 and not sections[0].title:
                sections[0].title, sections[0].line = line[2:].strip(), number
            else:
                if begin := _REFUSED.search(line):
                    shown = line[begin.start() :]
                    expected = "words and formulas, with a blank after <"
                    self.fail(number, "the text holds HTML or a picture", expected, shown, "Remove it.")
                sections[-1].text.append(line)
        if block is not None:
            self.fail(block.line, "the block is not closed", "a line ``` after it")
        return sections

    def _open(self, line: str, number: int, section: _Section) -> _Block:
        words = line.strip("` \t").split()
        if len(words) != 2 or words[0] != "toml" or words[1] not in _BLOCKS:
            known = ", ".join(f"```toml {name}" for name in _BLOCKS)
            self.fail(number, "unknown block", f"one of {known}", line)
        if words[1] in section.blocks:
            self.fail(number, f"the step has two blocks {words[1]}", "one of each kind", do="Merge them.")
        section.blocks[words[1]] = _Block(self.name, words[1], number, [])
        return section.blocks[words[1]]

    def _close(self, block: _Block) -> None:
        for number, words in enumerate(block.lines, start=block.line + 1):
            if words.count(".") > MAX_DOTS:
                self.fail(number, "the line has too many dots", f"at most {MAX_DOTS}", do="Divide the line.")
        try:
            block.values = tomllib.loads("\n".join(block.lines))
        except (ValueError, RecursionError) as error:
            what, _, place = str(error).partition(" (at ")
            at = re.match(r"line (\d+)", place)
            line = block.line + (int(at.group(1)) if at else len(block.lines))
            self.fail(line, f"the block is not TOML: {what}", 'lines such as name = "value"')

    def _words(self, section: _Section, most: int) -> str:
        text = "\n".join(section.text).strip()
        count = len(re.sub(r"\$[^$]*\$", "formula", text).split())
        if count > most:
            self.fail(section.line, f"the text has {count} words", f"at most {most}", do="Shorten it.")
        return text

    # -- one step ---------------------------------------------------------------------------------

    def _step(self, section: _Section, before: Sequence[Step]) -> Step:
        blocks = section.blocks
        kinds = [name for name in ("predict", "reveal", "explain") if name in blocks]
        if len(kinds) > 1 or "lesson" in blocks:
            self.fail(section.line, f"a step is one of predict, reveal, explain, or none; this one has {kinds}", "one")
        kind: Kind = kinds[0] if kinds else "look"
        view = self._view(blocks.get("view"), before[-1].view if before else View(), section)
        step = Step(
            kind,
            section.title,
            self._words(section, MAX_EXPLANATION if kind == "explain" else MAX_WORDS),
            view,
            section.line,
            notes=self._notes(blocks.get("notes")),
        )
        if kind == "predict":
            return replace(step, question=self._question(blocks["predict"], view))
        if kind == "reveal":
            asked = [one for one in before if one.kind == "predict"]
            if not asked:
                self.fail(section.line, "nothing has been asked before this reveal", "a step with ```toml predict")
            return replace(step, question=asked[-1].question)
        if kind == "explain":
            block = blocks["explain"]
            formula, source = block.value("formula", str, ""), block.value("source", str, "")
            if not formula or not source:
                self.fail(block.line, "an explanation needs formula and source", "both")
            return replace(step, formula=formula, source=source)
        return step

    def _notes(self, block: _Block | None) -> Notes:
        if block is None:
            return Notes()
        return Notes(block.value("ask", str, ""), block.value("students", str, ""), block.number("minutes", 1.0))

    def _view(self, block: _Block | None, before: View, section: _Section) -> View:
        view = replace(before, path="", values=(), start=0, symbol="", colours=None)
        if block is None:
            if not before.kernel:
                self.fail(section.line, "the first step shows nothing", "a block ```toml view with data and kernel")
            return view
        if block.get("data") is not None or block.get("rows") is not None:
            view = replace(View(kernel=view.kernel, figure=view.figure), **self._rows(block))
        if block.get("shuffled", True) is not True:
            block.fail("shuffled", "shuffled has the wrong value", "true", block.values["shuffled"])
        view = replace(
            view,
            parameters=tuple(block.value("parameters", dict, dict(view.parameters)).items()),
            shuffled="shuffled" in block.values or view.shuffled,
            kernel=block.value("kernel", str, view.kernel),
            figure=block.choice("figure", FIGURES, view.figure),
        )
        if block.get("colours") is not None:
            low, high = block.items("colours", 2, 2, int | float, "[0, 1]")
            if not (ordinary(low) and ordinary(high) and low < high):
                block.fail("colours", "colours are not two ends", "such as [0, 1]", [low, high])
            view = replace(view, colours=(float(low), float(high)))
        scene = self._scene(block, view)
        if view.shuffled and scene.data.y is None:
            block.fail("shuffled", "there are no labels to shuffle", "labels, or data with labels", "none")
        if (pair := block.get("pair")) is not None:
            view = replace(view, pair=self._pair(block.line_of("pair"), pair, scene))
        if view.figure == "pair" and view.pair is None:
            block.fail("figure", "the figure has no rows", 'pair = ["0", "1"]')
        if block.get("drag") is not None:
            path, values, symbol = self._path(block, "drag", view, scene.kernel)
            start = block.number("start", 0, 0, len(values) - 1)
            view = replace(view, path=path, values=values, start=start, symbol=symbol)
        return view

    def _rows(self, block: _Block) -> dict[str, Any]:
        if (given := block.get("rows")) is not None:
            kind = list if isinstance(given, list) and any(isinstance(row, list) for row in given) else str
            rows = block.items("rows", 2, 100, kind)
            widths = {len(row) for row in rows} if kind is list else {0}
            if len(widths) > 1:
                block.fail("rows", "rows differ in length", "one value for each column in every row", given)
            own = {"labels": len(rows), "columns": max(widths)}
            named = {key: block.items(key, n, n) for key, n in own.items() if block.get(key) is not None}
            return {"rows": tuple(tuple(map(str, row)) for row in rows) if kind is list else rows} | named
        name = block.value("data", str, "")
        if why := why_left_out(name):
            raise LeftOutError(f"{self.name}: {why}")
        if name not in CATALOGUE:
            block.fail("data", "unknown data set", "a name that `python -m kernlib datasets` lists", name)
        return {"data": name}

    def _scene(self, block: _Block, view: View) -> Scene:
        try:
            kernel = parse(view.kernel)
        except KernlibError as error:
            block.fail("kernel", "the kernel cannot be read", "a kernel as the dashboard prints it", str(error))
        if not (view.data or view.rows):
            self.fail(block.line, "the view has no rows", 'data = "NAME" or rows = [...]')
        try:
            data = view.scene().data
        except (KernlibError, ValueError, TypeError) as error:
            key = next((key for key in ("rows", "parameters") if key in block.values), "data")
            block.fail(key, "the rows cannot be used", "rows for a data set", str(error))
        if not kernel.can_read(data.domain):
            block.fail("kernel", f"the kernel reads {kernel.reads} rows", f"a kernel for {data.domain} rows")
        return Scene(data, kernel)

    def _question(self, block: _Block, view: View) -> Question:
        kind = KINDS[block.choice("kind", KINDS)]
        measure = block.choice("measure", kind.known)
        question = kind(
            block.value("question", str, ""),
            measure,
            tuple(block.value("arguments", dict, {}).items()),
            printed=None if block.get("printed") is None else block.number("printed", 0.0),
            called=in_terms(measure, view.scene().data),
        )
        if not question.text:
            self.fail(block.line, "nothing is asked", 'question = "…?"')
        if kind.ranged:
            low, high = block.number("low", 0.0), block.number("high", 1.0)
            if not low < high:
                block.fail("high", "the range is empty", "low below high", f"{low:g} to {high:g}")
            question = replace(question, low=low, high=high, step=block.number("step", 0.0, 0.0, high - low))
        if kind.ways:
            question = self._variants(block, view, question)
        self._check_arguments(block, question)
        return question

    def _variants(self, block: _Block, view: View, question: Question) -> Question:
        scene, given = self._scene(block, view), [way for way in question.ways if block.get(way) is not None]
        if len(given) != 1:
            expected = f"one of {', '.join(question.ways)}"
            self.fail(block.line, f"the question compares {given or 'nothing'}", expected)
        if not question.ranged:
            question = replace(question, rank=block.choice("rank", ("largest", "smallest", "change"), "largest"))
        if given == ["pairs"]:
            pairs, line = block.items("pairs", 2, 5, list, '[["0", "1"], ["2", "3"]]'), block.line_of("pairs")
            question = replace(question, pairs=tuple(self._pair(line, pair, scene) for pair in pairs))
        elif given == ["kernels"]:
            kernels = block.items("kernels", 2, 5)
            for text in kernels:
                self._scene(block, replace(view, kernel=text))
            question = replace(question, kernels=kernels)
        else:
            path, values, symbol = self._path(block, "axis", view, scene.kernel, question.quantity)
            question = replace(question, path=path, values=values, symbol=symbol)
        count, choose = len(question.variants), isinstance(question, Choose)
        if isinstance(question, Order) and not 3 <= count <= 5:
            self.fail(block.line, f"there are {count} items to order", "three to five")
        if choose or (not question.ranged and block.get("options") is not None):
            options, change = block.items("options", 2, 5), question.rank == "change"
            if len(options) != (3 if change else count):
                expected = "three: rises, falls, stays" if change else f"{count}, one a variant"
                block.fail("options", "wrong number of options", expected, len(options))
            question = replace(question, options=options)
        return question

    def _pair(self, line: int, pair: Any, scene: Scene) -> tuple[str, str]:
        if not isinstance(pair, list) or len(pair) != 2:
            self.fail(line, "a pair has two row ids", 'such as ["0", "1"]', pair)
        for row in pair:
            if str(row) not in scene.data.ids:
                self.fail(line, "unknown row id", f"an id such as {scene.data.ids[0]!r}", row)
        return str(pair[0]), str(pair[1])

    def _path(
        self, block: _Block, key: str, view: View, kernel: Kernel, measure: Quantity | None = None
    ) -> tuple[str, tuple[Any, ...], str]:
        path, line = block.value(key, str, ""), block.line_of(key)
        part, _, name = path.partition(".")
        values = block.items("values", 2, 40, object, "[0.1, 0.5, 1.0]")
        for value in values:
            try:
                if part == "kernel":
                    with_value(kernel, name.split("."), value)
                elif part == "data" and view.data:
                    {p.name: p for p in CATALOGUE[view.data].parameters()}[name].clean(value, view.data)
                elif part == "measure" and measure is not None and name in measure.arguments:
                    if expected := measure.why_not(name, value):
                        raise ValueError(f"expected {expected}")
                elif path == "machine.C" and view.figure == "border":
                    SVM(C=value)
                else:
                    raise KeyError(name)
            except KeyError:
                self.fail(line, "unknown path", "such as kernel.p, data.n or measure.C", path)
            except (KernlibError, ValueError, TypeError, AttributeError) as error:
                block.fail("values", f"{path} cannot take this value: {error}", "a value in range", value)
        return path, values, _symbol(kernel, path)

    def _check_arguments(self, block: _Block, question: Question) -> None:
        varied = {name: value for _, _, own in question.variants for name, value in own.items()}
        given = varied | dict(question.arguments)
        try:
            inspect.signature(question.quantity.evaluate).bind(None, **given)
        except TypeError:
            expected = ", ".join(question.quantity.arguments) or "none"
            block.fail("arguments", f"{question.measure!r} needs other arguments", expected, list(given))
        for name, value in question.arguments:
            if expected := question.quantity.why_not(name, value):
                block.fail("arguments", f"{name} cannot have this value", expected, value)


def _symbol(kernel: Kernel, path: str) -> str:
    """Return the Greek letter of a kernel's parameter, such as σ; the name of any other."""
    letters = {place.path: place.parameter.letter for place in available_axes(kernel, SVM())}
    letter = letters.get(path, "")
    return letter if "α" <= letter <= "ω" else path.rpartition(".")[2].replace("_", " ")
