"""The command line: the dashboard's computations without the browser.

    kernlib show [DATA...] [--kernel KERNEL] [--page depth] [--load my_kernels.py] [--port N] [--no-browser]
    python -m kernlib advise DATA [--rows 400] [--out spec.json] [--report report.html]
    python -m kernlib run spec.json --out results/ [--jobs N] [--backend threading|loky|dask] [--data file]
    python -m kernlib gram KERNEL DATA --out K.npy [--leading 50 --pairs pairs.npz] [--jobs N] [--backend …]
    python -m kernlib kernels | datasets
    python -m kernlib papers [--paper O|D|K|R|C] [--quick] [--jobs N] --out results/

`run` writes results.csv (all folds), curve.csv and spec.json. Each fold is written to folds.jsonl as soon as it is
computed: the same call resumes an interrupted run. Exit codes: 0 done; 1 done, but some folds failed, as results.csv
says; 2 refused or not written, with the reason in one sentence; 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .errors import AmbiguousReadingError, DataError, KernlibError, ParameterError

if TYPE_CHECKING:
    from .advice import Comparison, Setting
    from .data import Dataset, Reading
    from .experiments import RunSpec
    from .papers.running import AnyExperiment, Result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code.

    >>> main(["kernels"])  # doctest: +ELLIPSIS
    Linear ...
    0
    """
    options = _parser().parse_args(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: print(f"kernlib: {message}", file=sys.stderr)
        return _command(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kernlib",
        description="Open the dashboard, or use kernlib without the browser.",
        epilog="Call an interrupted run again to resume it. Exit codes: 0 done; 1 done, but some folds failed; "
        "2 refused, with the reason in one sentence; 130 interrupted; 143 terminated.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    _add_showing(commands)
    _add_comparing(commands)
    _add_computing(commands)
    commands.add_parser("kernels", help="list the kernels")
    commands.add_parser("datasets", help="list the data sets")
    return parser


def _add_showing(commands: Any) -> None:
    """Declare `show`."""
    show = commands.add_parser("show", help="open the dashboard on a file, a sample, or all samples")
    show.add_argument("data", nargs="*", help="a name from `datasets`, or a file with the files that belong to it")
    _reading(show)
    show.add_argument("--kernel", default="", metavar="KERNEL", help="Python code such as \"RBF(sigma='median')\"")
    show.add_argument("--page", default="", metavar="PAGE", help="such as depth, spectrum or choose")
    show.add_argument("--load", action="append", default=[], metavar="FILE", help="a Python file with your own kernels")
    show.add_argument("--port", type=_positive, metavar="N", help="by default the first free one from 8501 on")
    show.add_argument("--address", dest="host", default="localhost", help="0.0.0.0 for everyone in the network")
    show.add_argument("--no-browser", dest="browser", action="store_false", help="open no browser")


def _add_comparing(commands: Any) -> None:
    """Declare `advise`."""
    advise = commands.add_parser("advise", help="compare kernels on a file and list them, best first")
    advise.add_argument("data", nargs="+", help="a name from `datasets`, or a file with the files that belong to it")
    advise.add_argument("--settings", type=Path, metavar="FILE", help="compare the kernels of this file, one a line")
    advise.add_argument("--own", action="append", default=[], metavar="KERNEL", help="a kernel that takes part as well")
    advise.add_argument("--machine", metavar="MACHINE", help="the machine of the comparison, such as KernelRidge()")
    advise.add_argument("--list", action="store_true", help="print the kernels, a file for --settings, and end")
    advise.add_argument("--out", type=Path, metavar="FILE", help="write a spec that compares the two best")
    advise.add_argument("--report", type=Path, metavar="FILE", help="write the comparison as a report, .html or .md")
    fewer = "number of rows that a larger set is reduced to (default 400)"
    advise.add_argument("--rows", dest="glance", type=_positive, default=400, metavar="N", help=fewer)
    _reading(advise)
    advise.set_defaults(rows=None)


def _add_computing(commands: Any) -> None:
    """Declare `run`, `gram` and `papers`."""
    run = commands.add_parser("run", help="compute a spec and write results.csv, curve.csv and spec.json")
    run.add_argument("spec", type=Path, help="the run.json that 'Downloads' on Choose downloads")
    run.add_argument("--out", type=Path, required=True, help="directory for the three files")
    _workers(run)
    run.add_argument("--data", type=Path, nargs="+", help="the uploaded file, with the files that belong to it")
    gram = commands.add_parser("gram", help="write a Gram matrix of any size to a file, and its leading eigenpairs")
    gram.add_argument("kernel", help='Python code such as "Deep(RBF(sigma=1.5), level=2)"')
    gram.add_argument("data", nargs="+", help="a name from `datasets`, or a file with the files that belong to it")
    gram.add_argument("--rows", type=_positive, help="number of rows, drawn from a larger data set or generated")
    _reading(gram)
    gram.add_argument("--out", type=Path, help="a new .npy file")
    gram.add_argument("--leading", type=_positive, metavar="K", help="compute the K largest eigenpairs")
    gram.add_argument("--pairs", type=Path, metavar="FILE", help="the .npz file for the eigenpairs")
    _workers(gram)
    papers = commands.add_parser("papers", help="run the papers' experiments and compare each published value")
    papers.add_argument("--paper", choices=("O", "D", "K", "R", "C"), help="one paper (default: all five)")
    papers.add_argument("--quick", action="store_true", help="few draws and splits, to test the command")
    papers.add_argument("--out", type=Path, required=True, help="directory for papers.json and REPRODUCTION.md")
    papers.add_argument("--jobs", type=_positive, default=1, help="workers (default 1)")


def _command(options: argparse.Namespace) -> int:
    """Run the parsed command; return the exit code."""
    try:
        if getattr(options, "address", None):
            os.environ["KERNLIB_DASK"] = options.address
        code = _COMMANDS[options.command](options)
        sys.stdout.flush()
        return code or 0
    except KernlibError as error:
        print(f"kernlib: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as ended:
        matrix = options.out if options.command == "gram" else None
        kept = "nothing is kept."
        if options.command in ("run", "papers"):
            kept = "the results so far are kept; the same command resumes there."
        if matrix is not None and matrix.exists():
            kept = f"the matrix is complete: leading_eigenpairs(np.load({str(matrix)!r}, mmap_mode='r'), ...)."
        print(f"\nkernlib: interrupted; {kept}", file=sys.stderr)
        return 143 if isinstance(ended, _Terminated) else 130
    except BrokenPipeError:
        # The reader of a list has closed the pipe; what Python flushes at exit must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _workers(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=_positive, default=1, help="workers (default 1)")
    command.add_argument(
        "--backend", choices=("auto", "threading", "loky", "dask"), default="auto", help="kind of worker"
    )
    command.add_argument("--address", help="address of the Dask scheduler, tcp://host:8786 (default: KERNLIB_DASK)")


def _reading(command: argparse.ArgumentParser) -> None:
    """Add the arguments that say how to read a file, as the upload panel does."""
    from .data.readings import add_arguments

    own = command.add_argument_group("your own file", "How the file is read, where it does not say so itself:")
    add_arguments(own)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on; got {text!r}")
    return int(text)


def _spec(path: Path) -> RunSpec:
    from .experiments import RunSpec

    with _refused_in_words(path, "read"):
        return RunSpec.from_json(path.read_bytes())


@contextmanager
def _refused_in_words(file: Path, verb: str) -> Iterator[None]:
    """Raise DataError where a file cannot be read or written, whichever is the `verb`."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise DataError(f"{file}: the file cannot be {verb}, {why}. Check the path.") from None


def _show(options: argparse.Namespace) -> None:
    from .serving.view import show_command

    show_command(
        options.data,
        _choices_of(options),
        kernel=options.kernel,
        page=options.page,
        load=options.load,
        port=options.port,
        address=options.host,
        browser=options.browser,
    )


def _run(options: argparse.Namespace) -> int:
    """Compute a run, write its files, and print the best value and all problems."""
    from .experiments import (
        curve,
        difference_in_words,
        gap_from_best,
        landmark_errors,
        more_in_words,
        recommendation_in_words,
        reference_name,
        reread_upload,
        run_to,
    )

    spec = _spec(options.spec)
    data = spec.load() if options.data is None else reread_upload(options.data, spec)
    folds = (len(spec.values) + (spec.reference is not None)) * spec.splits
    with _progress("folds") as show:
        how = {"jobs": options.jobs, "backend": options.backend}
        written, results = run_to(options.out, spec, data, progress=lambda done, _: show(done, folds), **how)
    print("\n".join(map(str, written)))
    for words in dict.fromkeys(error.words() for error in landmark_errors(spec, data).values()):
        print(words)
    drawn = curve(spec, results)
    failed, said = [r for r in results if r.problem], list(drawn.warnings[:3])
    if drawn.best is not None:
        if spec.reference is not None and spec.axis is None:
            pair = ((spec.kernel, float(drawn.mean[0])), (spec.reference, drawn.reference_mean))
            print("\n".join(f"{drawn.measure} {drawn.in_words(mean)}: {kernel!r}" for kernel, mean in pair))
        difference = None if failed or spec.second is not None else gap_from_best(drawn)
        if difference is not None:
            said.insert(0, difference_in_words(difference, drawn, reference_name(spec)))
        said = [recommendation_in_words(spec, drawn, data.y), *more_in_words(spec, drawn, data.y), *said]
    if failed:
        said.append(
            f"kernlib: {len(failed)} of {len(results)} folds failed, the first: split {failed[0].split + 1} at "
            f"{failed[0].value}: {failed[0].problem}"
        )
    for words in said:
        print(words, file=sys.stderr)
    return 1 if failed else 0


def _gram(options: argparse.Namespace) -> None:
    """Write a Gram matrix, its leading eigenpairs, or both; without --out the matrix is not stored."""
    import numpy as np

    from .large import GramOperator, gram_blocks, leading_eigenpairs
    from .parse import parse
    from .values.domains import form
    from .values.words import size_in_words

    out, pairs = options.out, options.pairs
    if out is None and options.leading is None:
        raise ParameterError("gram: expected --out FILE, --leading K, or both; got neither. Name a file: --out K.npy.")
    if (pairs is None) != (options.leading is None):
        raise ParameterError("gram: --leading K and --pairs FILE go together; got one. Add --pairs pairs.npz.")
    _check_new(pairs)
    kernel, (data, _) = parse(options.kernel), _data(options)
    X: Any = data.inputs
    if form(kernel.reads).together:  # these rows have a meaning only together
        kernel, X = kernel.bind(X), np.arange(len(X))
    how = {"y": data.y, "jobs": options.jobs, "backend": options.backend}
    with _progress("tiles") as show:
        K: Any = None if out is None else gram_blocks(kernel, X, out, progress=show, **how)
        if pairs is not None:

            def read(done: int, total: int, passes: int, error: float) -> None:
                reached = "" if np.isnan(error) else f", error {error:.1e} so far"
                show(done, total, f"parts in pass {passes + 1} over K{reached}")

            source = GramOperator(kernel, X, progress=show, **how) if K is None else K
            found = leading_eigenpairs(source, options.leading, progress=read)
            names = ("eigenvalues", "eigenvectors", "residuals", "trace")
            with _refused_in_words(pairs, "written"), pairs.open("xb") as file:
                np.savez(file, **{name: getattr(found, name) for name in names})
    if K is not None:
        print(f"{out}: {K.shape[0]} × {K.shape[1]}, {K.dtype}, {size_in_words(K.nbytes)}")
    if pairs is not None:
        print(f"{pairs}: {found.words()}")


def _advise(options: argparse.Namespace) -> None:
    from .advice import candidates, follow_up, looked_at, read_settings, search, settings_text, verdict
    from .machines import MACHINES
    from .parse import parse, parse_declared

    _check_new(options.out, options.report)
    if options.report is not None and options.report.suffix not in (".html", ".md"):
        raise DataError(f"{options.report}: the report's name must end in .html or .md. Choose another name.")
    data, parameters = _data(options)
    settings: tuple[Setting, ...] = ()
    if options.settings is not None:
        with _refused_in_words(options.settings, "read"):
            settings = read_settings(options.settings.read_text(encoding="utf-8"))
    machine = None if options.machine is None else parse_declared(options.machine, MACHINES)
    if options.list:
        print(settings_text(settings or candidates(looked_at(data, options.glance))))
        return
    if not _is_file(options.data):
        print(f"{data!r}\n")
    with _progress() as show:
        own = [parse(kernel) for kernel in options.own]
        for state in search(data, options.glance, settings=settings, own=own, machine=machine, nested=True):
            show(*state.progress, state.stage)
    advice = state.best or state.settings
    print("\n\n".join(f"{place}. {one.words()}" for place, one in enumerate(advice, 1)))
    print("\n" + verdict(state, data))
    if data.y is None:
        return
    if options.report is not None:
        with _refused_in_words(options.report, "written"):
            options.report.write_text(_report(state, data, options), encoding="utf-8")
        print(f"{options.report}: the report")
    if options.out is None:
        print("--out spec.json writes a run that compares the first with the second on held-out rows.")
        return
    uploaded = _is_file(options.data)
    spec = follow_up(data, advice, parameters, uploaded=uploaded)
    with _refused_in_words(options.out, "written"):
        options.out.write_text(spec.to_json(), encoding="utf-8")
    rows = dict(spec.parameters).get("n")
    fewer = f" on {rows} of the rows" if uploaded and rows else ""
    without = [name.partition(":")[2] for name, _ in spec.parameters if name.startswith("without:")]
    fewer += f" without class {', '.join(without)}, which has a single row," if without else ""
    files = f" --data {shlex.join(options.data)}" if uploaded else ""
    run = f"python -m kernlib run {shlex.quote(str(options.out))}{files} --out results"
    print(f"{options.out}: run it{fewer} with\n  {run}")


def _check_new(*files: Path | None) -> None:
    """Raise DataError for a file that exists already."""
    for file in filter(None, files):
        if file.exists():
            raise DataError(f"{file}: the file exists already; expected a new file. Choose another name.")


def _report(state: Comparison, data: Dataset, options: argparse.Namespace) -> str:
    """Return the report of a comparison, in the form that its file's name asks for."""
    from .advice import markdown, sections, title_of
    from .data.readings import arguments_of
    from .figures.choose import report_page

    script = ""
    if _is_file(options.data):
        own = [] if options.settings is None else ["--settings", str(options.settings)]
        own += [word for kernel in options.own for word in ("--own", kernel)]
        own += [] if options.machine is None else ["--machine", options.machine]
        own = [*arguments_of(_choices_of(options)), "--rows", str(options.glance), *own]
        script = shlex.join(["python", "-m", "kernlib", "advise", *options.data, *own])
    if options.report.suffix == ".md":
        return markdown(title_of(data), sections(state, data, script))
    return report_page(state, data, script)


def _data(options: argparse.Namespace) -> tuple[Dataset, tuple[tuple[str, Any], ...]]:
    """Return a data set of the catalogue, or files as a data set, and how they are read as parameters of a run.

    How files are read is printed. DataError where a decision is needed; its message has the options that decide.
    """
    from .data import load_dataset, readings_of_paths
    from .data.readings import strongest

    if not _is_file(options.data):
        return load_dataset(options.data[0], **({} if options.rows is None else {"n": options.rows})), ()
    found = readings_of_paths(options.data, **_choices_of(options))
    try:
        reading = strongest(found)
    except AmbiguousReadingError:
        raise DataError(_decisions(options.data[0], found)) from None
    data = reading.dataset(rows=options.rows)
    report = [
        f"{options.data[0]}: {reading.part.container}, read as {reading.kind}. {reading.why}",
        *reading.notes,
        repr(data),
        f"Read it like this again with: {shlex.join(reading.arguments)}",
    ]
    print("\n".join(f"kernlib: {line}" for line in report), file=sys.stderr)
    return data, reading.parameters


def _decisions(name: str, found: Sequence[Reading]) -> str:
    """Return what has to be decided about a file, and the options that decide it."""
    first = found[0]
    lines = [f"{name}: how it is read has to be decided. `kernlib show {name}` asks on a page; or give:"]
    if "kind" in first.open_choices:
        lines += [f"  --kind {one.kind}: {one.why}" for one in found[:6]]
    lines += [f"  --{what}: {why}" for what, why in first.open_choices.items() if what != "kind"]
    return "\n".join(lines)


def _choices_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return how a file is to be read, from the options that `_reading` declares."""
    from .data.readings import of_options

    return of_options(vars(options))


def _is_file(given: Sequence[str]) -> bool:
    from .data import CATALOGUE

    return given[0] not in CATALOGUE and bool(Path(given[0]).suffix or Path(given[0]).exists())


def _papers(options: argparse.Namespace) -> int:
    from .papers import count, of_paper, run_papers, write

    experiments = of_paper(options.paper)

    def progress(experiment: AnyExperiment, result: Result) -> None:
        print(f"[{experiment.paper}] {experiment.item}, {result['seconds']:.1f} s", file=sys.stderr)

    with _ended_in_order():
        results = run_papers(options.out, experiments, quick=options.quick, jobs=options.jobs, progress=progress)
    print("\n".join(map(str, write(options.out, results))))
    print(count(line for result in results for line in result["outcomes"]).words())
    return 1 if any(result.get("problems") for result in results) else 0


class _Terminated(KeyboardInterrupt):
    """SIGTERM, handled like Ctrl-C: the workers end and the journal is closed."""


@contextmanager
def _progress(unit: str = "") -> Iterator[Callable[..., None]]:
    """Yield a function that shows progress, `done` of `total` of a `unit`, and let SIGTERM end the command in order."""
    progress = _Progress(sys.stderr, unit)
    try:
        with _ended_in_order():
            yield progress.show
    finally:
        if progress.terminal:
            print(file=sys.stderr)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    def leave(number: int, frame: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # not the main thread: the caller handles signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Progress:
    """A progress line: rewritten on a terminal, printed at intervals in a log."""

    def __init__(self, stream: TextIO, unit: str) -> None:
        self.stream, self.unit, self.terminal = stream, unit, stream.isatty()
        self.width, self.task = 0, ""
        self.started = self.shown = time.monotonic()

    def show(self, done: int, total: int, unit: str = "") -> None:
        """Show the progress of one of several tasks; items done before its first call are from an earlier start."""
        now, unit = time.monotonic(), unit or self.unit
        if unit != self.task:  # the pace of a task excludes the time before it
            self.started, self.earlier = (now, done) if self.task else (self.started, done - 1)
            self.task = unit
        complete = done == total and (self.terminal or unit in ("folds", "tiles"))
        if not complete and now - self.shown < (0.1 if self.terminal else 10.0):
            return
        self.shown, computed = now, done - self.earlier
        left = f", {(now - self.started) / computed * (total - done):.0f} s left" if computed > 0 else ""
        line = f"[{'#' * (30 * done // total):<30}] {done}/{total} {unit}{left}"
        end = "\r" if self.terminal else "\n"
        print(f"{line:<{self.width}} ", end=end, file=self.stream, flush=True)  # spaces cover a longer earlier line
        self.width = len(line) if self.terminal else 0


def _kernels(options: argparse.Namespace) -> None:
    from .registry import KERNELS

    for kernel in KERNELS:
        first = (kernel.__doc__ or "").strip().splitlines()[0]
        print(f"{kernel.__name__:<26} {kernel.domain:<12} {first}")


def _datasets(options: argparse.Namespace) -> None:
    from .data import CATALOGUE

    for entry in CATALOGUE.values():
        print(f"{entry.name:<20} {entry.domain:<12} {entry.kind:<10} {entry.size:<18} {entry.title}")


_COMMANDS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "show": _show,
    "advise": _advise,
    "run": _run,
    "gram": _gram,
    "papers": _papers,
    "kernels": _kernels,
    "datasets": _datasets,
}

if __name__ == "__main__":
    sys.exit(main())
