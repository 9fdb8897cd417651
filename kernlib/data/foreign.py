"""Name formats that are not read, by their first bytes, and how to convert them."""

from __future__ import annotations

import re
from collections.abc import Collection

_COPY, _SHEET = "Copy the table into a spreadsheet and save it as CSV UTF-8", "Save the sheet as CSV UTF-8"
_ARRAYS, _GRAPH = "Save the arrays with numpy.savez", "Write GraphML, or edges as CSV"
_BIO = "In Python: Bio.AlignIO.convert('x', '{}', 'x.fasta', 'fasta')"
#: Bytes that text does not have, further on.
_BYTES = r"(?=[\s\S]{0,1000}?[\0-\x08\x0e-\x1a])"

#: Each format: a regular expression that matches the first bytes, or "zip:" and the name of a file in a zip archive;
#: the format's name; what to do.
FOREIGN: tuple[tuple[str, str, str], ...] = (
    (r"%PDF", "a PDF document", _COPY),
    (r"zip:(word/document|ppt/presentation).xml", "a document of Word or PowerPoint", _COPY),
    (rf"\x89PNG|\xff\xd8\xff|GIF8[79]a{_BYTES}|II\*\0|MM\0\*", "a picture", "Give the numbers behind it"),
    (r"([\s\S]{512})?\x89HDF\r\n\x1a\n|CDF[\x01\x02\x05]|SIMPLE  =", "an array file (HDF5, netCDF, FITS)", _ARRAYS),
    (r"\x80[\x02-\x05]|zip:data.pkl", "a pickle, which is never opened since it can run programs",
     "Save a table with .to_csv('x.csv', index=False) or arrays with numpy.savez"),
    (r"RD[AX][23]\n|X\n\0\0\0", "R data", "In R: write.csv(x, 'x.csv', row.names = FALSE)"),
    (r"\$FL[23]@\(#\)|<stata_dta>|\0{12}\xc2\xea\x81\x60", "a file of SPSS, Stata or SAS",
     "In Python: pandas.read_spss, read_stata or read_sas, then .to_csv('x.csv', index=False)"),
    (rf"SQLite format 3\0|(ARROW1|FEA1|ORC){_BYTES}", "a database, or a Feather, Arrow or ORC file",
     "Export the table as CSV"),
    (r"\xd0\xcf\x11\xe0|zip:(xl/workbook.bin|content.xml|mimetype|\[Content_Types\].xml)",
     "an old spreadsheet, or one of another program", _SHEET),
    (rf"BZh{_BYTES}|\xfd7zXZ|7z\xbc\xaf|Rar!{_BYTES}|\x28\xb5\x2f\xfd|[\s\S]{{257}}ustar", "an archive",
     "Unpack it, and give the file inside, or a .zip or .gz of it"),
    (r"\x7fELF|MZ\x90\0", "a program", "Choose a file of data"),
    (r"(?i)(#[^\n]*\n|//[^\n]*\n)*(strict\s{1,9})?(di)?graph\s{0,9}(\"[^\"\n]{0,100}\"|\w{0,100})\s{0,9}\{",
     "a Graphviz graph", _GRAPH),
    (r"(?i)clustal[ _\w(]", "a Clustal alignment", _BIO.format("clustal")),
    (r"# STOCKHOLM|(?i:#nexus)", "a Stockholm or NEXUS alignment", _BIO.format("stockholm' or 'nexus")),
    (r"(?i)\s*<(!doctype|html|\?xml)", "a web page or XML", "Save the table as CSV"),
)  # fmt: skip


def kind_of(start: bytes, members: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the format and what to do with it, from the first bytes and the names in a zip; None if unknown.

    >>> kind_of(b"%PDF-1.4")
    ('a PDF document', 'Copy the table into a spreadsheet and save it as CSV UTF-8')
    """
    names = {f"zip:{name}" for member in members for name in (member, member.rpartition("/")[2])}
    raw = start.decode("latin-1")
    text = raw.removeprefix("\xef\xbb\xbf").replace("\r\n", "\n").replace("\r", "\n").lstrip()
    begins = {raw, text, *names}
    return next(((what, step) for mark, what, step in FOREIGN if any(re.match(mark, begin) for begin in begins)), None)
