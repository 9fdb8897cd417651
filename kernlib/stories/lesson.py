"""A lesson: steps that show, ask, reveal and explain; read from a Markdown file with blocks of TOML and checked."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args, get_type_hints

import numpy as np

from ..data import CATALOGUE, Dataset, load_dataset, target_of, why_left_out
from ..errors import DataError, KernlibError
from ..experiments import available_axes, with_value
from ..machines import SVM
from ..parse import parse
from ..values.declare import shown
from ..values.domains import Domain
from .quantities import Named, Pair, Quantity, Scene, described, fits, in_terms
from .questions import KINDS, Choose, Order, Question

Figure = Literal[
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
]
#: The figures that a step can show, by name.
FIGURES: tuple[str, ...] = get_args(Figure)
#: Maximum size of a lesson file, in bytes.
MAX_BYTES = 200_000
#: Maximum number of dots in a line of TOML: its parser takes the square of the parts of a dotted name.
MAX_DOTS = 200
#: Maximum number of words in the text of a step, and of an explanation.
MAX_WORDS, MAX_EXPLANATION = 40, 60
#: Maximum number of rows that a step shows.
MAX_ROWS = 1000
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
    parameters: Named = ()
    rows: tuple[str | tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    shuffled: bool = False
    kernel: str = ""
    figure: Figure = "gram"
    path: str = ""
    values: tuple[Any, ...] = ()
    start: int = 0
    symbol: str = ""
    colours: tuple[float, float] | None = None
    pair: Pair | None = None

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
        if data.n > MAX_ROWS:
            raise DataError(f"{data.title} has {data.n:,} rows; expected at most {MAX_ROWS:,} in a lesson. Take fewer.")
        target = partial(target_of, self.data, data.rows, **parameters) if self.data else None
        return Scene(data, kernel, target, colours=self.colours, pair=self.pair, **machine)

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
        if self.shuffled:
            if data.y is None:
                raise DataError(f"{data.title} has no labels to shuffle. Add labels, or choose data with labels.")
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


def read_lesson(text: str | bytes, name: str = "lesson") -> Lesson:
    """Return the lesson that a Markdown file holds.

    Raises LessonError, which names the line, what was expected, what was found and the next step.
    """
    if isinstance(text, bytes):
        if len(text) > MAX_BYTES:
            raise LessonError(f"{name}: the file has {len(text):,} bytes; expected at most {MAX_BYTES:,}. Shorten it.")
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            _fail(name, line, "the text is not UTF-8", "UTF-8", do="Save the file with that encoding.")
    head, *sections = _sections(name, text)
    if not head.title:
        head.fail("the lesson has no title", "a first line such as '# How deep?'")
    block = head.block("lesson")
    about = block.read({"minutes": int, "source": str}, "minutes")
    block.check(1 <= about["minutes"] <= 120, "minutes", "1 to 120")
    if not FEWEST <= len(sections) <= MOST:
        last = sections[MOST] if len(sections) > MOST else head
        last.fail(f"the lesson has {len(sections)} steps", f"{FEWEST} to {MOST} lines that begin with ##")
    question = head.words(MAX_WORDS)
    if not question:
        head.fail("the lesson has no question", "a sentence under the title")
    steps: list[Step] = []
    for section in sections:
        steps.append(_step(section, steps))
    return Lesson(name, head.title, question, about["minutes"], about.get("source", ""), tuple(steps))


def read_shelf(folder: Path) -> tuple[Lesson, ...]:
    """Return all lessons of a folder in the order of their file names, without those on data that are left out."""
    lessons = []
    for path in sorted(folder.glob("*.md")):
        with suppress(LeftOutError):
            lessons.append(read_lesson(path.read_bytes(), path.stem))
    return tuple(lessons)


def _fail(
    file: str, line: int, wrong: str, expected: str, found: Any = None, do: str = "Correct this line."
) -> NoReturn:
    got = "" if found is None else f"; found {shown(found)}"
    raise LessonError(f"{file}, line {line}: {wrong}; expected {expected}{got}. {do}")


# -- the file as sections and blocks ----------------------------------------------------------------


@dataclass
class _Block:
    """One block of TOML; a block that the file lacks has no values, and the line of its section."""

    file: str
    name: str
    line: int
    lines: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    def fail(self, key: str, wrong: str, expected: str, found: Any = None) -> NoReturn:
        """Raise LessonError at the line of a key, or that of the block."""
        begins = re.compile(rf'\s*("?{re.escape(key)}"?\s*=|\[{re.escape(key)}\])')
        place = next((i for i, line in enumerate(self.lines, start=1) if begins.match(line)), 0)
        _fail(self.file, self.line + place, wrong, expected, found)

    def check(self, right: object, key: str, expected: str) -> None:
        """Check that the value of a key is right."""
        if not right:
            self.fail(key, f"{key} cannot have this value", expected, self.values.get(key))

    @contextmanager
    def usable(self, key: str, expected: str) -> Iterator[None]:
        """Turn an error of the library about the value of a key into one at its line."""
        try:
            yield
        except (KernlibError, ValueError, TypeError, AttributeError) as error:
            self.fail(key, f"{key} cannot be used", expected, str(error))

    def close(self) -> None:
        """Read the values from the lines."""
        for number, words in enumerate(self.lines, start=self.line + 1):
            if words.count(".") > MAX_DOTS:
                _fail(self.file, number, "the line has too many dots", f"at most {MAX_DOTS}")
        try:
            self.values = tomllib.loads("\n".join(self.lines))
        except (ValueError, RecursionError) as error:
            what, _, place = str(error).partition(" (at ")
            at = re.match(r"line (\d+)", place)
            line = self.line + (int(at.group(1)) if at else len(self.lines))
            _fail(self.file, line, f"the block is not TOML: {what}", 'lines such as name = "value"')

    def read(self, kinds: Mapping[str, Any], *required: str) -> dict[str, Any]:
        """Return the values by name, each of its declared kind, lists as tuples."""
        values = {key: _frozen(value) for key, value in self.values.items()}
        for key in (*required, *values):
            if key not in kinds:
                self.fail(key, f"unknown name in {self.name}", f"one of {', '.join(kinds)}", key)
            if key in required and values.get(key, "") == "":
                self.fail(key, f"{self.name} has no {key}", f"{key} = {described(kinds[key])}")
            self.check(fits(kinds[key], values[key]), key, described(kinds[key]))
        return values


def _frozen(value: Any) -> Any:
    """Return lists as tuples, and tables as tuples of pairs."""
    if isinstance(value, dict):
        return tuple((key, _frozen(one)) for key, one in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass
class _Section:
    file: str
    title: str
    line: int
    text: list[str] = field(default_factory=list)
    blocks: dict[str, _Block] = field(default_factory=dict)

    def fail(self, *words: str) -> NoReturn:
        _fail(self.file, self.line, *words)

    def block(self, name: str) -> _Block:
        return self.blocks.get(name) or _Block(self.file, name, self.line)

    def words(self, most: int) -> str:
        """Return the text, which has at most so many words."""
        text = "\n".join(self.text).strip()
        count = len(re.sub(r"\$[^$]*\$", "formula", text).split())
        if count > most:
            self.fail(f"the text has {count} words", f"at most {most}")
        return text


#: The beginning of an HTML tag, and of a picture in Markdown.
_REFUSED = re.compile(r"<[a-zA-Z/!]|!\[")
_BLOCKS = [f"```toml {name}" for name in ("lesson", "view", "predict", "reveal", "explain", "notes")]


def _sections(file: str, text: str) -> list[_Section]:
    sections, block = [_Section(file, "", 1)], None
    for number, line in enumerate(text.splitlines(), start=1):
        section = sections[-1]
        if block is not None:
            if line.strip() == "```":
                block.close()
                block = None
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            if line.rstrip() not in _BLOCKS:
                _fail(file, number, "unknown block", f"one of {', '.join(_BLOCKS)}", line)
            block = _Block(file, line.split()[1], number)
            if block.name in section.blocks:
                _fail(file, number, f"the step has two blocks {block.name}", "one of each kind", do="Merge them.")
            section.blocks[block.name] = block
        elif line.startswith("## "):
            sections.append(_Section(file, line[3:].strip(), number))
        elif line.startswith("# ") and not section.title:
            section.title, section.line = line[2:].strip(), number
        elif begin := _REFUSED.search(line):
            expected = "words and formulas, with a blank after <"
            _fail(file, number, "the text holds HTML or a picture", expected, line[begin.start() :], "Remove it.")
        else:
            section.text.append(line)
    if block is not None:
        _fail(file, block.line, "the block is not closed", "a line ``` after it")
    return sections


# -- one step -----------------------------------------------------------------------------------------


def _step(section: _Section, before: list[Step]) -> Step:
    kinds = [name for name in ("predict", "reveal", "explain", "lesson") if name in section.blocks]
    if len(kinds) > 1 or "lesson" in kinds:
        section.fail(f"the step has the blocks {' and '.join(kinds)}", "one of predict, reveal and explain, or none")
    kind: Any = kinds[0] if kinds else "look"
    notes = section.block("notes")
    step = Step(
        kind,
        section.title,
        section.words(MAX_EXPLANATION if kind == "explain" else MAX_WORDS),
        _view(section.block("view"), before[-1].view if before else View()),
        section.line,
        notes=Notes(**notes.read(get_type_hints(Notes))),
    )
    block = section.block(kind)
    if kind == "predict":
        return replace(step, question=_question(block, step.view))
    if kind == "reveal":
        block.read({})
        asked = [one.question for one in before if one.kind == "predict"]
        if not asked:
            section.fail("nothing has been asked before this reveal", "a step with ```toml predict")
        return replace(step, question=asked[-1])
    if kind == "explain":
        return replace(step, **block.read({"formula": str, "source": str}, "formula", "source"))
    return step


#: Names in lesson files of what is called otherwise in a view or a question.
_NAMED = {"drag": "path", "axis": "path", "question": "text"}


def _view(block: _Block, before: View) -> View:
    view = replace(before, path="", values=(), start=0, symbol="", colours=None)
    if not block.values and before.kernel:
        return view
    kinds = get_type_hints(View)
    known = ["drag" if name == "path" else name for name in kinds if name != "symbol"]
    given = block.read({name: kinds[_NAMED.get(name, name)] for name in known})
    if given.keys() & {"data", "rows"}:
        view = View(kernel=view.kernel, figure=view.figure)
    view = replace(view, path=given.pop("drag", ""), **given)
    if why := why_left_out(view.data):
        raise LeftOutError(f"{block.file}: {why}")
    block.check(view.rows or view.data in CATALOGUE, "data", "a name that `python -m kernlib datasets` lists")
    block.check(not view.rows or 2 <= len(view.rows) <= 100, "rows", "2 to 100 rows")
    block.check(view.colours is None or view.colours[0] < view.colours[1], "colours", "two ends such as [0, 1]")
    scene = _scene(block, view)
    if view.pair is not None:
        _check_ids(block, "pair", view.pair, scene)
    block.check(view.figure != "pair" or view.pair is not None, "figure", 'also pair = ["0", "1"]')
    block.check(view.path or not view.values, "values", 'also drag = "kernel.p"')
    if not view.path:
        return view
    symbol = _varied(block, "drag", view.path, view.values, view)
    block.check(view.start < len(view.values), "start", f"0 to {len(view.values) - 1}")
    return replace(view, symbol=symbol)


def _scene(block: _Block, view: View) -> Scene:
    """Return the scene of a view, whose kernel reads its rows."""
    with block.usable("kernel", "a kernel as the dashboard prints it"):
        kernel = parse(view.kernel)
    key = next((key for key in ("rows", "shuffled", "parameters") if key in block.values), "data")
    with block.usable(key, "rows for a data set"):
        scene = view.scene()
    block.check(kernel.can_read(scene.data.domain), "kernel", f"a kernel for {scene.data.domain} rows")
    return scene


def _check_ids(block: _Block, key: str, rows: tuple[str, ...], scene: Scene) -> None:
    block.check({*rows} <= {*scene.data.ids}, key, f"ids of rows, such as {scene.data.ids[0]!r}")


def _question(block: _Block, view: View) -> Question:
    kind = KINDS.get(str(block.values.get("kind")), Question)
    kinds = get_type_hints(Question) | {"kind": Literal[tuple(KINDS)], "measure": Literal[tuple(kind.known)]}
    known = ("kind", "question", "measure", "arguments", "printed", *kind.keys)
    given = block.read({name: kinds[_NAMED.get(name, name)] for name in known}, "kind", "question", "measure")
    del given["kind"]
    scene = _scene(block, view)
    named = {_NAMED.get(name, name): value for name, value in given.items()}
    question = kind(**named, called=in_terms(given["measure"], scene.data))
    block.check(question.low < question.high, "high", "low below high")
    span = question.high - question.low
    block.check(0 <= question.step <= span, "step", f"0 to {span:g}")
    ways = [way for way in ("axis", "pairs", "kernels") if way in kind.keys]
    if ways and sum(way in given for way in ways) != 1:
        block.fail("", "the question does not say what it compares", f"one of {', '.join(ways)}")
    block.check(question.path or not question.values, "values", 'also axis = "kernel.p"')
    for pair in question.pairs:
        _check_ids(block, "pairs", pair, scene)
    for text in question.kernels:
        _scene(block, replace(view, kernel=text))
    if question.path:
        symbol = _varied(block, "axis", question.path, question.values, view, question.quantity)
        question = replace(question, symbol=symbol)
    count, three = len(question.variants), question.rank == "change"
    if isinstance(question, Order):
        block.check(3 <= count <= 5, next(way for way in ways if way in given), "three to five items to order")
    if isinstance(question, Choose) or question.options:
        expected = "three: rises, falls, stays" if three else f"{count}, one a variant"
        block.check(len(question.options) == (3 if three else count), "options", expected)
    _check_arguments(block, question)
    return question


def _varied(
    block: _Block, key: str, path: str, values: tuple[Any, ...], view: View, measure: Quantity | None = None
) -> str:
    """Check that the parameter at a path can have these values; return its symbol, such as σ, or its name."""
    part, _, name = path.partition(".")
    block.check(2 <= len(values) <= 40, "values", "2 to 40 values such as [0.1, 0.5, 1.0]")
    kernel = parse(view.kernel)
    if part == "measure" and measure is not None and name in measure.arguments:
        kind = measure.arguments[name]
        block.check(all(fits(kind, value) for value in values), "values", described(kind))
    elif part == "kernel" or (part == "data" and view.data) or (path == "machine.C" and view.figure == "border"):
        with block.usable("values", f"a value in range for each step of {path}"):
            for value in values:
                SVM(C=value) if part == "machine" else view.scene(**{path: value})
    else:
        block.fail(key, "unknown path", "such as kernel.p, data.n or measure.C", path)
    letters = {place.path: place.parameter.letter for place in available_axes(kernel, SVM())}
    letter = letters.get(path, "")
    return letter if "α" <= letter <= "ω" else path.rpartition(".")[2].replace("_", " ")


def _check_arguments(block: _Block, question: Question) -> None:
    kinds, varied = question.quantity.arguments, [name for _, _, own in question.variants for name in own]
    given = dict(question.arguments) | dict.fromkeys(varied)
    with block.usable("arguments", ", ".join(kinds) or "no arguments"):
        inspect.signature(question.quantity.evaluate).bind(None, **given)
    for name, value in question.arguments:
        block.check(fits(kinds[name], value), "arguments", f"{name} = {described(kinds[name])}")
