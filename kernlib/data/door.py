"""The one door for uploads: what a file is, by its content; what it is taken for, and why; a data set."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..values.domains import Domain
from ..values.labels import Task
from ..values.split import Split
from .archives import gunzipped, opened_zip, unzipped
from .arrays import Arrays, read_arrays
from .dataset import Dataset
from .guesses import Guess
from .matrices import matrix_lines
from .networks import Network, ends_of, is_tudataset, read_edges, read_gml, read_graphml, read_tudataset
from .parquet import read_parquet
from .sequences import read_sequences
from .svmlight import looks_like_svmlight, read_svmlight
from .tables import Missing, Role, Table, read_table, table_of
from .texts import TEXT_ENDINGS, read_json_lines, read_text_folders
from .uploads import LIMITS, Limits, content, decode, delimiter_of, listed, shortened, tame, tamed

__all__ = ["ENDINGS", "Symmetrise", "Upload", "read_upload"]

Symmetrise = Literal["", "mean", "max"]

#: What file choosers offer; the content decides.
ENDINGS = (
    "csv", "tsv", "txt", "parquet", "gz", "zip", "fasta", "fa", "faa", "fna", "jsonl", "ndjson", "json", "graphml",
    "gml", "edges", "npz", "npy", "svmlight", "libsvm", "dat",
)  # fmt: skip
TABLE_DOMAINS: tuple[Domain, ...] = ("vector", "categorical", "sequence", "text")
#: Roles whose missing cells need a choice; a missing category is a category, an empty text a text.
_READ: dict[Domain, set[Role]] = {"vector": {"numeric", "ordinal"}, "sequence": {"sequence"}}


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows that are complete as they were read: sequences, graphs, texts by folder, SVMlight."""

    data: Dataset


@dataclass(frozen=True, eq=False)
class _Square:
    """A square matrix of scores or edges."""

    name: str
    A: npt.NDArray[Any]
    ids: tuple[str, ...] = ()
    y: npt.NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class _Vectors:
    """Numbers from an array file, with labels and divisions if it has them."""

    name: str
    X: npt.NDArray[Any]
    y: npt.NDArray[Any] | None = None
    splits: tuple[Split, ...] = ()


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of rows of a matrix, one line of the table each."""

    name: str
    base: _Square
    numbers: npt.NDArray[np.int64]


_Content = _Rows | _Square | _Vectors | _Pairs | Network | None


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it was recognised, ready to become a data set once it is known what its columns mean.

    Attributes
    ----------
    name : the file. format : what it is, in words. reason : by what that was recognised, one sentence.
    domain : what its rows are taken for; `domains`, what they could be taken for by `read_upload(…, domain=…)`;
        `asked`, whether that was done, so that roles no longer change it.
    table : the columns with their roles, or None where there is nothing to choose.
    guesses : what was guessed that could be wrong, each with the other ways to take the file; see `Guess`.

    >>> upload = read_upload("t.txt", b"size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> upload.format, upload.domain
    ('CSV table', 'vector')
    >>> upload.reason
    'Lines of 2 cells divided by commas, although the name ends in .txt.'
    >>> upload.dataset()
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """

    name: str
    format: str
    reason: str
    domain: Domain
    domains: tuple[Domain, ...]
    table: Table | None = field(default=None, repr=False)
    limits: Limits = field(default=LIMITS, repr=False)
    asked: bool = field(default=False, repr=False)
    _content: _Content = field(default=None, repr=False)
    said: tuple[Guess, ...] = field(default=(), repr=False)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """What was guessed of the file and of its columns, each with the other ways to take it."""
        return self.said + (() if self.table is None else self.table.guesses)

    @property
    def missing(self) -> int:
        """Missing cells that need a choice: those of the columns that are used."""
        if isinstance(self._content, _Vectors):
            return int(np.isnan(self._content.X).sum()) if self._content.X.dtype.kind == "f" else 0
        if self.table is None:
            return 0
        roles: set[Role] = {"label"}
        if self._content is None and self.domain in _READ:
            roles |= _READ[self.domain]
        return sum(column.missing for column in self.table.columns if column.role in roles)

    @property
    def asymmetric(self) -> bool:
        """Whether it is a matrix of scores whose two halves differ, so that a choice is needed."""
        square = self._content.base if isinstance(self._content, _Pairs) else self._content
        return isinstance(square, _Square) and self.domain != "node" and not _symmetric(square.A)

    def with_roles(self, roles: Mapping[str, Role]) -> Upload:
        """The same upload with some columns taken for something else; the domain follows the roles.

        >>> read_upload("t.csv", b"a,b\\n1,x\\n2,y\\n").with_roles({"a": "categorical"}).domain
        'categorical'
        """
        if self.table is None:
            raise DataError(f"{self.name}: a file of {self.format} has no columns to give roles to. Leave roles out.")
        table = self.table.with_roles(roles)
        domain = self.domain if self.asked or self._content is not None else table.likely_domain()
        return dataclasses.replace(self, table=table, domain=domain)

    def dataset(
        self,
        *,
        missing: Missing = "refuse",
        task: Task | None = None,
        symmetrise: Symmetrise = "",
        rows: int | None = None,
        seed: int = 0,
    ) -> Dataset:
        """The data set.

        Parameters
        ----------
        missing : what is done with missing cells, see `Table.to_dataset`.
        task : whether labels are classes or real targets; None has them decide.
        symmetrise : "mean" or "max" for a matrix whose halves differ; edges always go both ways.
        rows, seed : a stratified sample of so many rows, drawn with the seed; None takes all.

        Raises
        ------
        DataError : one sentence: the file, the place, what was expected, what came, what to do.
        """
        data = self._whole(missing, task, symmetrise)
        if data.title != self.name:  # what came in an archive goes by the archive's name
            data = dataclasses.replace(data, name=_stem(self.name), title=self.name, source=f"upload {self.name}")
        return data if rows is None else data.stratified_sample(rows, seed=seed)

    def _whole(self, missing: Missing, task: Task | None, symmetrise: Symmetrise) -> Dataset:
        held = self._content
        if isinstance(held, _Rows):
            return held.data
        if isinstance(held, Network):
            return held.dataset(self.table, missing, task, self.limits)
        if isinstance(held, _Vectors):
            return _vectors(held, missing, task)
        if isinstance(held, _Square):
            return _square(held, self.domain, self.table, missing, task, symmetrise)
        assert self.table is not None
        if isinstance(held, _Pairs):
            base = _square(held.base, "matrix", None, missing, None, symmetrise)
            keep, y, task = self.table.label_part(missing, task)
            return Dataset(
                _stem(self.name), self.name, "pair", held.numbers[keep], y=y, task=task if y is not None else None,
                base=base, source=f"upload {self.name}", note=f"Pairs of rows of {held.base.name}.",
                ids=tuple(tame(f"{base.ids[i]} – {base.ids[j]}") for i, j in held.numbers[keep]),
                groups=self.table.groups(keep),
            )  # fmt: skip
        return self.table.to_dataset(self.domain, missing=missing, task=task)


def read_upload(
    name: str,
    data: bytes,
    *,
    more: Mapping[str, bytes] | None = None,
    domain: Domain | None = None,
    roles: Mapping[str, Role] | None = None,
    limits: Limits = LIMITS,
) -> Upload:
    """What a file is, recognised by its content; its name's ending is only a hint.

    Parameters
    ----------
    name, data : the file's name and bytes.
    more : further files that belong to it, name → bytes: a node table beside edges or an adjacency matrix, a table of
        pairs beside a matrix, the files of a TUDataset. A zip of them does as well.
    domain : what its rows are; None guesses.
    roles : column name → role, over the guessed ones.
    limits : bytes, rows, columns, …; all are checked before memory is taken.

    Read are CSV and TSV (also gzipped), Parquet, FASTA, JSON Lines, zip of text files by folder, TUDataset zip,
    GraphML, GML, edge lists, adjacency and score matrices (CSV, NPY, NPZ), vectors (NPY, NPZ, SVMlight), pairs over a
    matrix.

    Raises
    ------
    DataError : for everything else; no other error leaves this function.

    Example
    -------
    >>> read_upload("g.csv", b"from,to\\na,b\\nb,c\\n").dataset()
    Dataset('g', node, n=3)
    >>> read_upload("pages.jsonl", b'{"text": "a b"}\\n{"text": "b c"}\\n').reason
    'One JSON object per line.'
    """
    name = tame(name, 100) or "upload"
    if more:
        files = {name: data} | {tame(n, 100) or f"upload {i}": raw for i, (n, raw) in enumerate(more.items())}
        if len(files) != 1 + len(more):
            raise DataError(f"{name}: two files have the same name; expected different ones. Rename one of them.")
        for n, raw in files.items():
            content(raw, n, limits)
        upload = _bundle(files, name, domain, limits)
    else:
        upload = _recognised(name, data, domain, limits)
    return upload.with_roles(roles) if roles else upload


def _recognised(name: str, data: bytes, domain: Domain | None, limits: Limits) -> Upload:
    raw, name = content(data, name, limits)
    inner = dataclasses.replace(limits, bytes=max(limits.bytes, limits.unpacked))
    if raw.startswith(b"\x1f\x8b"):
        plain = name[:-3] if name.lower().endswith(".gz") else name
        found = _recognised(plain, gunzipped(raw, name, limits), domain, inner)
        return dataclasses.replace(found, name=name, format=f"{found.format}, gzipped")
    if raw.startswith(b"\x93NUMPY"):
        return _of_arrays(read_arrays(raw, name, limits), name, "NPY array", domain, limits)
    if raw.startswith(b"PK"):
        return _zip(raw, name, domain, inner)
    if raw.startswith(b"PAR1"):
        reason = _reason("It begins and ends with Parquet's mark", name, "parquet")
        return _of_table(read_parquet(raw, name, limits=limits), "Parquet table", reason, domain, limits)
    head = raw[:4000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"<") and re.search(rb"<(\w+:)?graphml\b", head):
        return _of_network(
            read_graphml(raw, name, limits), "GraphML", _reason("An XML root graphml", name, "graphml"), limits
        )
    if head.startswith(b">"):
        reason = _reason("It begins with a '>' line", name, "fasta", "fa", "faa", "fna")
        return _of_rows(read_sequences(raw, name, limits=limits), "FASTA", reason, limits)
    if head.startswith(b"{"):
        reason = _reason("One JSON object per line", name, "jsonl", "ndjson", "json")
        return _of_table(read_json_lines(raw, name, limits=limits), "JSON Lines", reason, domain, limits)
    text = decode(raw, name)
    if re.match(r"\s*\[\s*[{\[\]]", text):
        raise DataError(
            f"{name}: it is one JSON list; expected JSON Lines, an object per line. "
            "Write each record on a line of its own."
        )
    if re.match(r"(\s*(#|Creator|Version|comment|directed)[^\n]*\n)*\s*graph\s*\[", text, re.IGNORECASE):
        return _of_network(read_gml(text, name, limits), "GML", _reason("It begins with graph [", name, "gml"), limits)
    if looks_like_svmlight(text):
        reason = _reason("Lines of a label and number:value pairs", name, "svmlight", "libsvm", "dat", "txt")
        return _of_rows(read_svmlight(raw, name, limits=limits), "SVMlight", reason, limits)
    return _of_text(raw, text, name, domain, limits)


def _of_text(raw: bytes, text: str, name: str, domain: Domain | None, limits: Limits) -> Upload:
    """A matrix, a list of edges or a table from lines of cells."""
    if domain not in TABLE_DOMAINS:
        table = _blank_edges(text, name, limits)
        if table is not None:
            reason = _reason("Two nodes per line, divided by blanks", name, "edges", "txt", "edgelist")
            return _of_network(read_edges(table, limits), "Edge list", reason, limits)
        square = _square_text(raw, text, name, domain, limits)
        if square is not None:
            return square
    table = read_table(raw, name, limits=limits)
    if domain in (None, "node"):
        ends = ends_of(table)
        if ends is not None:
            reason = _reason(
                f"A table with the columns {shortened(ends[0])} and {shortened(ends[1])}", name, "csv", "tsv"
            )
            return _of_network(read_edges(table, limits), "Edge list", reason, limits)
    mark = delimiter_of(text)
    words = {",": "commas", "\t": "tabs", ";": "semicolons"}[mark]
    cells = "cell" if len(table.columns) == 1 else f"cells divided by {words}"
    reason = _reason(f"Lines of {len(table.columns)} {cells}", name, "csv", "tsv")
    return _of_table(table, "TSV table" if mark == "\t" else "CSV table", reason, domain, limits)


def _blank_edges(text: str, name: str, limits: Limits) -> Table | None:
    """Lines of two nodes, perhaps with a weight, divided by blanks; None where they are something else."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith(("#", "%"))]
    hinted = name.lower().endswith((".edges", ".edgelist", ".ncol", ".el"))
    pattern = re.compile(r"[^\s,;]+[ \t]+[^\s,;]+([ \t]+[\d.eE+-]+)?" if hinted else r"\d+ +\d+( +[\d.eE+-]+)?")
    if len(lines) < 2 or len(lines) > limits.rows or not all(pattern.fullmatch(line) for line in lines):
        return None
    words = [line.split() for line in lines]
    width = len(words[0])
    if any(len(line) != width for line in words):
        return None
    return table_of(name, ["from", "to", "weight"][:width], words)


def _square_text(raw: bytes, text: str, name: str, domain: Domain | None, limits: Limits) -> Upload | None:
    """Lines of cells that are a square matrix, or None; asked for by name they must be one."""
    wanted = domain in ("matrix", "node")
    if not wanted:
        first = next((line for line in text.split("\n") if line.strip()), "")
        columns = first.count(delimiter_of(text)) + 1
        rows = sum(1 for line in text.split("\n") if line.strip())
        if columns < 3 or not -1 <= rows - columns <= 1:
            return None
    try:
        A, ids = matrix_lines(raw, name, limits)
    except DataError:
        if wanted:
            raise
        return None
    if wanted and (A.ndim != 2 or A.shape[0] != A.shape[1]):
        raise DataError(
            f"{name}: the matrix must be square; got {' × '.join(map(str, A.shape))}. Check for a header line or a "
            "column of names."
        )
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not (wanted or _deliberate(A, ids)):
        return None
    return _of_square(_Square(name, A, tuple(tamed(ids)) if ids else ()), f"{'Matrix'} as text", name, domain, limits)


def _deliberate(A: npt.NDArray[Any], ids: Sequence[str]) -> bool:
    """Whether a square table of numbers is a matrix rather than a table that happens to be square."""
    if not np.isfinite(A).all() or len(A) < 3:
        return False
    return bool(ids) or _symmetric(A) or (len(A) >= 5 and _edges(A))


def _edges(A: npt.NDArray[Any]) -> bool:
    return bool(np.isin(A, (0, 1)).all() and not np.diagonal(A).any() and A.any())


def _symmetric(A: npt.NDArray[Any]) -> bool:
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.dtype.kind not in "iufb":
        return True  # the sentence about its shape comes first
    values = A.astype(np.float64)
    if not np.isfinite(values).all():
        return bool(np.array_equal(values, values.T, equal_nan=True))
    return bool(np.allclose(values, values.T, rtol=0.0, atol=1e-8 * max(1.0, float(np.abs(values).max(initial=0.0)))))


def _zip(raw: bytes, name: str, domain: Domain | None, limits: Limits) -> Upload:
    archive, members = opened_zip(raw, name, limits)
    archive.close()
    if any(m.filename.endswith(".npy") for m in members):
        return _of_arrays(read_arrays(raw, name, limits), name, "NPZ arrays", domain, limits)
    files = unzipped(raw, name, limits)
    if "[Content_Types].xml" in files or "mimetype" in files:
        raise DataError(f"{name}: it is a spreadsheet or document; expected data files. Save the sheet as CSV UTF-8.")
    if not files:
        raise DataError(f"{name}: the zip holds no files; expected data files. Pack them anew.")
    if len(files) == 1:
        ((path, inside),) = files.items()
        if not inside:
            raise DataError(f"{name}: the member {shortened(path)} is empty; expected rows of values. Fill it.")
        found = _recognised(tame(PurePosixPath(path).name, 100), inside, domain, limits)
        return dataclasses.replace(found, name=name, format=f"{found.format}, zipped")
    return dataclasses.replace(_bundle(files, name, domain, limits), name=name)


def _bundle(files: Mapping[str, bytes], name: str, domain: Domain | None, limits: Limits) -> Upload:
    """Several files that are one data set."""
    if is_tudataset(files):
        return _of_rows(
            read_tudataset(files, name, limits), "TUDataset", "Files named _A and _graph_indicator.", limits
        )
    endings = {PurePosixPath(path).suffix.lower() for path in files}
    in_folders = len({PurePosixPath(path).parent for path in files}) > 1
    if endings <= set(TEXT_ENDINGS) and (in_folders or len(files) > 2):
        reason = "Text files in folders; each folder is a class." if in_folders else "Text files without folders."
        return _of_rows(read_text_folders(files, name, limits), "Texts by folder", reason, limits)
    if len(files) == 2:
        found = [_recognised(tame(PurePosixPath(path).name, 100), raw, None, limits) for path, raw in files.items()]
        for one, other in (found, found[::-1]):
            joined = _joined(one, other, domain, limits)
            if joined is not None:
                return joined
        raise DataError(
            f"{name}: a file of {found[0].format} and one of {found[1].format} do not go together; expected edges "
            "and a node table, a matrix and a table of its rows, or a matrix and a table of pairs. "
            "Give one alone."
        )
    raise DataError(
        f"{name}: {len(files)} files, among them {listed(shortened(path) for path in sorted(files)[:3])}; expected one "
        "table, texts in a folder per class, a TUDataset, or edges and a node table. Pack those alone."
    )


def _joined(one: Upload, other: Upload, domain: Domain | None, limits: Limits) -> Upload | None:
    """Edges or a matrix with the table that belongs to it."""
    held = one._content
    table = other.table
    if isinstance(other._content, Network) and isinstance(held, _Square):
        table = _edge_table(other._content)
    if table is None or (other._content is not None and not isinstance(held, _Square)):
        return None
    if isinstance(held, Network):
        column = _id_column(table, set(held.ids))
        network = held.with_nodes(table, column)
        if table.roles[column] != "id":
            table = table.with_roles({column: "id"})
        return Upload(
            one.name, "Edge list and node table", f"{one.reason} {other.name} lists the nodes.", "node", ("node",),
            table, limits, _content=dataclasses.replace(network, nodes=table),
        )  # fmt: skip
    if not isinstance(held, _Square):
        return None
    pairs = _pair_columns(table, held) if domain in (None, "pair") else None
    if pairs is not None:
        numbers, names = pairs
        return Upload(
            other.name, "Pairs over a matrix", f"{listed(names)} name rows of {one.name}.", "pair", ("pair",),
            table.with_roles(dict.fromkeys(names, "id")), limits,
            _content=_Pairs(other.name, held, numbers),
        )  # fmt: skip
    if table.n != len(held.A):
        raise DataError(
            f"{one.name}: the matrix has {len(held.A)} rows and {other.name} {table.n}; expected one line per row. "
            "Give the table that belongs to it."
        )
    chosen: Domain = domain if domain in ("node", "matrix") else one.domain
    return dataclasses.replace(
        one, domain=chosen, table=table, format=f"{one.format} and a table of its rows",
        reason=f"{one.reason} {other.name} has a line for each of its {table.n} rows.",
    )  # fmt: skip


def _edge_table(network: Network) -> Table:
    ids = network.ids
    return table_of(network.name, ["from", "to"], [[ids[i], ids[j]] for i, j in network.edges])


def _id_column(table: Table, ids: set[str]) -> str:
    """The column of a node table that holds the names that the edges use."""
    best, most = "", -1
    for column in table.columns:
        if column.distinct < table.n:
            continue
        shared = len(ids & {str(cell).strip() for cell in table.column(column.name)})
        if shared > most:
            best, most = column.name, shared
    if most < 1:
        raise DataError(
            f"{table.name}: no column holds the nodes that the edges join, "
            f"{listed(shortened(i) for i in sorted(ids)[:3])}; expected one with a name per node. Add it."
        )
    return best


def _pair_columns(table: Table, base: _Square) -> tuple[npt.NDArray[np.int64], list[str]] | None:
    """Two columns whose every cell names a row of the matrix."""
    place = {word: i for i, word in enumerate(base.ids or (str(i) for i in range(len(base.A))))}
    fitting = []
    named = ends_of(table)
    for column in table.columns:
        words = [str(cell).strip() for cell in table.column(column.name)]
        if (column.role != "label" or column.name in (named or ())) and all(word in place for word in words):
            fitting.append((column.name, [place[word] for word in words]))
    bad = next((end for end in named or () if end not in dict(fitting)), None)
    if bad is not None:
        row, cell = next((i, c) for i, c in enumerate(table.column(bad)) if str(c).strip() not in place)
        raise DataError(
            f"{table.name}: data row {row + 1} names {shortened(cell)}, which is no row of {base.name}; expected one "
            f"of {listed(shortened(w) for w in list(place)[:3])}. Mend the name."
        )
    if named:
        fitting = [(end, dict(fitting)[end]) for end in named]
    # One table line per row, with a column that repeats none of them, describes the rows and no pairs.
    describes = table.n == len(base.A) and any(len(set(found)) == table.n for _, found in fitting) and not named
    if len(fitting) < 2 or (describes and len(fitting) < 3):
        return None
    if (
        not base.ids
        and not named
        and not all(re.search(r"id|row|first|second|a$|b$|1$|2$", n, re.I) for n, _ in fitting[:2])
    ):
        return None
    return np.column_stack([fitting[0][1], fitting[1][1]]).astype(np.int64), [fitting[0][0], fitting[1][0]]


def _of_arrays(arrays: Arrays, name: str, format: str, domain: Domain | None, limits: Limits) -> Upload:
    tables = {key: A for key, A in arrays.items() if A.ndim == 2 and A.dtype.kind in "iufb"}
    square = {key for key, A in tables.items() if A.shape[0] == A.shape[1]}
    key = next((k for k in ("K", "A", "X") if k in tables), next(iter(tables)) if len(tables) == 1 else None)
    if key is None:
        flat = {
            k: A.reshape(-1, 1) for k, A in arrays.items() if k in ("", "X") and A.ndim == 1 and A.dtype.kind in "iufb"
        }
        if not flat:
            kinds = listed(f"{k or 'array'}: {A.dtype} {A.shape}" for k, A in arrays.items())
            raise DataError(
                f"{name}: expected numbers in rows and columns, named X (with y) or K; got {kinds}. Save them so."
            )
        key = next(iter(flat))
        tables |= flat
    matrix, y = tables[key], arrays.get("y")
    of = f"the array {key!r}" if key else "an array"
    is_square = key in square and (
        domain in ("matrix", "node") or (domain is None and (key in ("K", "A") or _symmetric(matrix)))
    )
    if is_square and (key or domain or len(matrix) > 2):
        found = _Square(name, matrix, (), y)
        return _of_square(found, format, name, domain or ("node" if key == "A" else None), limits)
    if domain in ("matrix", "node"):
        raise DataError(
            f"{name}: the matrix must be square; got {' × '.join(map(str, matrix.shape))}. Save one row and "
            "one column per object."
        )
    if domain not in (None, "vector"):
        raise DataError(f"{name}: arrays of numbers hold vectors or a matrix; got domain {domain!r}. Leave it out.")
    held = _Vectors(name, matrix, y, _splits(arrays, len(matrix)))
    reason = f"{of[0].upper()}{of[1:]} has {matrix.shape[0]} rows and {matrix.shape[1]} columns."
    return Upload(
        name,
        format,
        reason,
        "vector",
        ("vector", "matrix", "node") if key in square else ("vector",),
        None,
        limits,
        _content=held,
    )


def _splits(arrays: Arrays, n: int) -> tuple[Split, ...]:
    """Published divisions: train and test, a line of row numbers for each."""
    train, test = arrays.get("train"), arrays.get("test")
    if train is None or test is None or train.ndim != 2 or test.ndim != 2 or len(train) != len(test):
        return ()
    if train.dtype.kind not in "iu" or test.dtype.kind not in "iu" or not train.size or not test.size:
        return ()
    if min(train.min(), test.min()) < 0 or max(train.max(), test.max()) >= n or len(train) > 1000:
        return ()
    return tuple(Split(str(i + 1), a, b) for i, (a, b) in enumerate(zip(train, test, strict=True)))


def _of_square(held: _Square, format: str, name: str, domain: Domain | None, limits: Limits) -> Upload:
    edges = held.A.dtype.kind in "iufb" and _edges(held.A)
    chosen: Domain = domain if domain in ("matrix", "node") else ("node" if edges else "matrix")
    what = "zeros and ones with a zero diagonal: edges" if edges else "numbers: scores"
    same = "" if _symmetric(held.A) else ", not symmetric"
    reason = f"{len(held.A)} rows and as many columns of {what}{same}."
    others: tuple[Domain, ...] = ("matrix", "node", "vector")
    return Upload(name, format, reason, chosen, others, None, limits, _content=held)


def _of_rows(data: Dataset, format: str, reason: str, limits: Limits) -> Upload:
    return Upload(data.title, format, reason, data.domain, (data.domain,), None, limits, _content=_Rows(data))


def _of_network(network: Network, format: str, reason: str, limits: Limits) -> Upload:
    domains: tuple[Domain, ...] = ("node", "vector", "categorical") if format == "Edge list" else ("node",)
    return Upload(network.name, format, reason, "node", domains, network.nodes, limits, _content=network)


def _of_table(table: Table, format: str, reason: str, domain: Domain | None, limits: Limits) -> Upload:
    if domain is not None and domain not in TABLE_DOMAINS:
        raise DataError(
            f"{table.name}: a table can become {listed(TABLE_DOMAINS)} rows; got {domain!r}. Give a square matrix or a "
            "table with the columns from and to for that."
        )
    asked = domain is not None
    return Upload(table.name, format, reason, domain or table.likely_domain(), TABLE_DOMAINS, table, limits, asked)


def _vectors(held: _Vectors, missing: Missing, task: Task | None) -> Dataset:
    X = held.X.astype(np.float64)
    gaps = np.isnan(X)
    note: list[str] = []
    keep: npt.NDArray[np.bool_] = np.ones(len(X), dtype=bool)
    filled = gaps.any() and missing in ("mean", "most_frequent")
    if gaps.any() and not filled:
        if missing != "drop":
            i, j = np.argwhere(gaps)[0]
            raise DataError(
                f"{held.name}: {int(gaps.sum())} missing values, the first in row {i}, column {j}. Drop those rows "
                "(missing='drop') or have them filled (missing='mean')."
            )
        keep = np.asarray(~gaps.any(axis=1))
        note.append(f"{int((~keep).sum())} of {len(X)} rows dropped for missing values.")
    y, task = _array_labels(held.y, len(X), task, held.name)
    return Dataset(
        _stem(held.name), held.name, "vector", X[keep], y=None if y is None else y[keep], task=task,
        source=f"upload {held.name}", note=" ".join(note), splits=held.splits if keep.all() else (),
        fill=missing if filled else "",  # type: ignore[arg-type]
    )  # fmt: skip


def _array_labels(y: npt.NDArray[Any] | None, n: int, task: Task | None, name: str) -> tuple[Any, Task | None]:
    """Labels of an array file: words, whole numbers as classes, others as targets."""
    if y is None:
        return None, None
    if y.ndim != 1 or len(y) != n:
        raise DataError(
            f"{name}: y must hold one label per row, {n} of them; got {' × '.join(map(str, y.shape))}. Save it so."
        )
    if y.dtype.kind in "SU":
        words = y.astype(np.str_) if y.dtype.kind == "U" else np.char.decode(y, "utf-8", "replace")
        return np.array(tamed([str(word) for word in words]), dtype=np.str_), "classification"
    if y.dtype.kind not in "iufb":
        raise DataError(f"{name}: y must hold words or real numbers; got {y.dtype}. Save it so.")
    values = y.astype(np.float64)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise DataError(f"{name}: y has missing or infinite labels, the first in row {row}. Remove those rows.")
    whole = bool((values == np.round(values)).all() and np.abs(values).max() < 2**53)
    few = whole and np.unique(values).size <= max(20, n // 10)
    if task == "regression" or (task is None and not few):
        return values, "regression"
    return np.array([f"{int(v)}" if whole else f"{v:g}" for v in values], dtype=np.str_), "classification"


def _square(
    held: _Square, domain: Domain, table: Table | None, missing: Missing, task: Task | None, symmetrise: Symmetrise
) -> Dataset:
    A = held.A
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.dtype.kind not in "iufb":
        raise DataError(
            f"{held.name}: the matrix must be square and of real numbers; got {A.dtype} {A.shape}. Save it so."
        )
    A = A.astype(np.float64)
    note = []
    if domain == "node" and not _symmetric(A):
        A = np.maximum(A, A.T)
        note.append("Edges are taken to go both ways.")
    elif not _symmetric(A):
        if not np.isfinite(A).all():
            i, j = np.argwhere(~np.isfinite(A))[0]
            raise DataError(
                f"{held.name}: entry ({i}, {j}) is {A[i, j]}; expected finite numbers. Fill it, or leave the row out."
            )
        if not symmetrise:
            i, j = np.unravel_index(int(np.abs(A - A.T).argmax()), A.shape)
            raise DataError(
                f"{held.name}: entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}; expected a symmetric "
                "matrix. Choose their mean or the larger of the two."
            )
        A = (A + A.T) / 2 if symmetrise == "mean" else np.maximum(A, A.T)
        note.append(f"Made symmetric by the {'mean' if symmetrise == 'mean' else 'maximum'}.")
    keep, ids = np.ones(len(A), dtype=bool), held.ids or tuple(str(i) for i in range(len(A)))
    y, task = _array_labels(held.y, len(A), task, held.name)
    if table is not None:
        keep, y, task = table.label_part(missing, task)
        names = [c.name for c in table.columns if c.role == "id"]
        if names and not held.ids:
            ids = tuple(tame(cell) for cell in table.column(names[0]))
        if not keep.all():
            note.append(f"{int((~keep).sum())} of {len(A)} rows without a label dropped.")
    chosen = np.flatnonzero(keep)
    return Dataset(
        _stem(held.name), held.name, domain, A[np.ix_(chosen, chosen)], y=y, task=task if y is not None else None,
        ids=tuple(tame(ids[i]) for i in chosen), source=f"upload {held.name}", note=" ".join(note),
        groups=None if table is None else table.groups(keep),
    )  # fmt: skip


def _stem(name: str) -> str:
    return Path(name).name.split(".")[0] or "upload"


def _reason(words: str, name: str, *endings: str) -> str:
    """Why a format was recognised, and that the name says otherwise where it does."""
    ending = PurePosixPath(name.lower().removesuffix(".gz")).suffix.lstrip(".")
    return f"{words}." if not ending or ending in endings else f"{words}, although the name ends in .{ending[:20]}."
