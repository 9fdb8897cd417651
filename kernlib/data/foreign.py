"""Name the formats that are not read, by their first bytes, and how to convert them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_TABLE = "Write the table as CSV"
_R = "In R: write.csv(x, 'x.csv', row.names = FALSE)"
_PANDAS = "In Python: pandas.{} and .to_csv('x.csv', index=False)"
_SHEET = "Save the sheet as CSV UTF-8"
_UNPACK = "Unpack it, and give the file inside, or a .zip or .gz of it"
_PEAKS = "Write a row per spectrum as CSV, a column per place"
_ARRAYS = "Save the arrays with numpy.savez"


@dataclass(frozen=True)
class Foreign:
    """A format that is not read: its name, the bytes at a place that identify it, and how to convert it.

    A mark of letters alone could also begin a table: it needs bytes that are not text after it, unless `text` is True.
    """

    what: str
    marks: tuple[bytes, ...]
    next: str
    place: int = 0
    text: bool = False


#: By marks at a fixed place; the longer and rarer ones first.
FOREIGN = (
    Foreign("a PDF document", (b"%PDF",), "Copy the table into a spreadsheet and save it as CSV UTF-8", text=True),
    Foreign("a PNG picture", (b"\x89PNG",), "Give the numbers behind it"),
    Foreign("a JPEG picture", (b"\xff\xd8\xff",), "Give the numbers behind it"),
    Foreign("a GIF picture", (b"GIF87a", b"GIF89a"), "Give the numbers behind it"),
    Foreign("a TIFF picture", (b"II*\0", b"MM\0*"), "Give the numbers behind it"),
    Foreign("an audio, video or picture file", (b"RIFF", b"ID3", b"OggS", b"fLaC"), "Give the numbers behind it"),
    Foreign("a DICOM picture", (b"DICM",), "Give the numbers behind it", 128),
    Foreign("an HDF5 file", (b"\x89HDF\r\n\x1a\n",), _ARRAYS),
    Foreign("a netCDF file", (b"CDF\x01", b"CDF\x02", b"CDF\x05"), _ARRAYS),
    Foreign(
        "a flow cytometry file (FCS)", (b"FCS2.0  ", b"FCS3.0  ", b"FCS3.1  "), "Export the events as CSV", text=True
    ),
    Foreign("a FITS file", (b"SIMPLE  =",), _ARRAYS, text=True),
    Foreign(
        "a pickle, which is never opened since it can run programs",
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
        "Save a table with .to_csv('x.csv', index=False) or arrays with numpy.savez",
    ),
    Foreign("R data", (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"X\n\0\0\0"), _R),
    Foreign("an SPSS file", (b"$FL2@(#)", b"$FL3@(#)"), _PANDAS.format("read_spss"), text=True),
    Foreign("a Stata file", (b"<stata_dta>",), _PANDAS.format("read_stata"), text=True),
    Foreign("a SAS file", (b"\0" * 12 + b"\xc2\xea\x81\x60", b"HEADER RECORD*******LIB"), _PANDAS.format("read_sas")),
    Foreign("a Feather or Arrow file", (b"ARROW1", b"FEA1"), _PANDAS.format("read_feather")),
    Foreign("an ORC file", (b"ORC",), _PANDAS.format("read_orc")),
    Foreign("an Avro file", (b"Obj\x01",), _TABLE),
    Foreign("an SQLite database", (b"SQLite format 3\0",), "Export the table as CSV"),
    Foreign("a DuckDB database", (b"DUCK",), "Export the table as CSV", 8),
    Foreign("an Access database", (b"\0\x01\0\0Standard ",), "Export the table as CSV"),
    Foreign("an old spreadsheet or document (.xls, .doc)", (b"\xd0\xcf\x11\xe0",), _SHEET),
    Foreign("a rich-text document", (b"{\\rtf",), "Save the text as UTF-8, or a table as CSV UTF-8", text=True),
    Foreign("a PostScript file", (b"%!PS",), "Give the numbers behind it", text=True),
    Foreign("a bzip2 archive", (b"BZh",), _UNPACK),
    Foreign("an xz archive", (b"\xfd7zXZ",), _UNPACK),
    Foreign("a 7z archive", (b"7z\xbc\xaf",), _UNPACK),
    Foreign("a RAR archive", (b"Rar!",), _UNPACK),
    Foreign("a Zstandard archive", (b"\x28\xb5\x2f\xfd",), _UNPACK),
    Foreign("an LZ4 archive", (b"\x04\x22\x4d\x18",), _UNPACK),
    Foreign("a tar archive", (b"ustar",), _UNPACK, 257),
    Foreign("a program", (b"\x7fELF", b"MZ\x90\0"), "Choose a file of data"),
    Foreign("a BAM file", (b"BAM\x01",), "Convert it to FASTA"),
    Foreign("a MatrixMarket matrix", (b"%%MatrixMarket",), _ARRAYS, text=True),
    Foreign("a Pajek network", (b"*Vertices", b"*vertices", b"*Network"), "Write GraphML, or edges as CSV", text=True),
    Foreign("a Stockholm alignment", (b"# STOCKHOLM",), "Convert it to FASTA", text=True),
    Foreign("a Clustal alignment", (b"CLUSTAL W", b"CLUSTAL O", b"CLUSTAL 2"), "Convert it to FASTA", text=True),
    Foreign(
        "a MEGA file",
        (b"#mega", b"#MEGA", b"#Mega"),
        "In MEGA: export the alignment as FASTA, or the distances as CSV",
        text=True,
    ),
    Foreign("a NEXUS file", (b"#NEXUS", b"#nexus"), "Convert it to FASTA", text=True),
    Foreign("a GFF file", (b"##gff-version",), "Write a row per feature as CSV", text=True),
    Foreign("a SAM file", (b"@HD\tVN:", b"@SQ\tSN:"), "Convert it to FASTA", text=True),
    Foreign("a molecule (MOL2)", (b"@<TRIPOS>",), "Write SMILES", text=True),
    Foreign("a LaTeX document", (b"\\documentclass", b"\\begin{"), "Save the table as CSV UTF-8", text=True),
    Foreign("a genome track (WIG)", (b"track type=", b"variableStep chrom", b"fixedStep chrom"), _TABLE, text=True),
    Foreign("an ARPA language model", (b"\\data\\",), "Give the texts behind it", text=True),
    Foreign("a HMMER profile", (b"HMMER3/",), "Give the sequences behind it as FASTA", text=True),
    Foreign("a table of distances of EMBOSS", (b"Distance Matrix\n---",), "Write PHYLIP distances, or CSV", text=True),
    Foreign("a VCF file", (b"##fileformat=VCF",), "Write the genotypes as CSV, a row per sample", text=True),
)
#: By the names in a zip; the first name that is present decides.
IN_ZIPS = (
    ("word/document.xml", "a Word document", "Copy the table into a spreadsheet and save it as CSV UTF-8"),
    ("ppt/presentation.xml", "a PowerPoint file", "Copy the table into a spreadsheet and save it as CSV UTF-8"),
    ("xl/workbook.bin", "a binary Excel workbook (.xlsb)", "Save it as .xlsx, or the sheet as CSV UTF-8"),
    ("content.xml", "an OpenDocument spreadsheet or document", _SHEET),
    ("data.pkl", "a PyTorch file, a pickle that is never opened since it can run programs", _ARRAYS),
    ("META-INF/MANIFEST.MF", "a Java archive", "Choose a file of data"),
    ("[Content_Types].xml", "an Office document", _SHEET),
    ("mimetype", "a document", _SHEET),
)
#: By regular expressions that match the beginning of a text; (?i) ignores case.
_TEXTS = (
    (
        r"(?i)(strict\s{1,9})?(di)?graph\s{0,9}(\"?\w{0,100}\"?\s{0,9})?\{",
        "a Graphviz graph",
        "Write GraphML, or edges as CSV",
    ),
    (r"@[^\n]{0,500}\n[A-Za-z.*-]{1,4000}\n\+", "a FASTQ file", "Convert it to FASTA"),
    (r"([^\n]{0,200}\n){2,3}[ \d]{6}[^\n]{0,60}V[23]000", "a molfile (SDF)", "Write SMILES"),
    (
        r"(HEADER|TITLE |REMARK|CRYST1|ATOM  |HETATM) {1,5}[^\n]{10,200}\n([A-Z0-9]{3,6} [^\n]{0,200}\n)",
        "a protein structure (PDB)",
        "Write the chains as FASTA",
    ),
    (r"data_\S{1,50}\s[\s\S]{0,2000}?\n(loop_|_entry\.|_cell)", "a crystal structure (CIF)", "Write SMILES or FASTA"),
    (
        r"\d{1,7}\n[^\n]{0,200}\n([A-Z][a-z]?\s+(-?\d+\.\d+\s+){2}-?\d+\.\d+[^\n]{0,50}\n)",
        "a molecule's coordinates (XYZ)",
        "Write SMILES",
    ),
    (r"\([^;\n]{3,8000}\)[^;\n(),]{0,50};\s*$", "a tree (Newick)", "Write its distances as a matrix"),
    (
        r"(?i)(--[^\n]{0,200}\n|/\*[^\n]{0,200}\n|\s){0,30}(CREATE TABLE|INSERT INTO|DROP TABLE)",
        "an SQL dump",
        "Export the table as CSV",
    ),
    (
        r"# (newdoc|newpar|sent_id|text)\b[^\n]{0,2000}\n[\s\S]{0,4000}?\n?1\t\S",
        "a treebank (CoNLL-U)",
        "Write a row per sentence as CSV",
    ),
    (
        r"[-+\d. ]{0,20}('\S{1,50} ?)?\|\S{0,20} [^\n|]{0,2000}?[A-Za-z]\w{0,50}:-?[\d.]+\s",
        "a Vowpal Wabbit file",
        "Write SVMlight, or CSV",
    ),
    (
        r"(?i)(#[^\n]{0,500}\n){0,50}@(problemName|timeStamps|univariate)\b",
        "a file of time series (.ts)",
        "Write a row per series as CSV, the class in the last column",
    ),
    (
        r"NAME ?:[^\n]{0,200}\n[\s\S]{0,2000}?(NODE_COORD|EDGE_WEIGHT)_SECTION",
        "a TSPLIB file",
        "Write the coordinates or the distances as CSV",
    ),
    (
        r"[-+\d.]{1,20}( \d{1,10}:\d{1,12}:[-+\d.eE]{1,30}){1,300}\s",
        "a LIBFFM file, label field:feature:value",
        "Leave the fields out: label feature:value is SVMlight",
    ),
    (
        r"(#[^\n]{0,500}\n){0,50}([^\t\n]{1,100}\t){3}\d{1,12}\t\d{1,12}\t[-+\d.eE]{1,30}\t[-+.?]\t[.012]\t",
        "a table of genes (GTF or GFF)",
        "Write a row per feature as CSV",
    ),
    (r"(MASS=[^\n]{0,200}\n|#[^\n]{0,200}\n){0,20}BEGIN IONS\s", "a list of spectra (MGF)", _PEAKS),
    (r"##TITLE ?=", "a spectrum (JCAMP-DX)", _PEAKS),
    (
        r"ply\s+format (ascii|binary)|solid [^\n]{0,200}\n\s{0,99}facet normal"
        r"|(ST|C|N|4|n){0,5}OFF\s+(#[^\n]{0,200}\n){0,20}\d{1,9} \d{1,9} \d"
        r"|(#[^\n]{0,200}\n|(o|g|mtllib) [^\n]{0,200}\n){0,20}v (-?\d+\.\d+ ){2}-?\d+\.\d+\s",
        "a three-dimensional mesh",
        "Write its measurements as CSV, a row per mesh",
    ),
    (r"(\[[A-Z][A-Za-z]{1,30} \"[^\n]{0,200}\"\]\n){2}", "chess games (PGN)", "Write a row per game as CSV"),
    (r"BEGIN:V(CALENDAR|CARD)\s", "a calendar or an address book", "Write a row per entry as CSV"),
    (r"From [^\n]{3,200}\n([A-Z][A-Za-z-]{1,40}: [^\n]{0,500}\n){2}", "a mailbox", "Write a row per message as CSV"),
    (r"(WEBVTT\b|1\n\d\d:\d\d:\d\d,\d{3} --> )", "subtitles", "Write the texts as CSV"),
    (
        r"(?i)@(article|book|inproceedings|misc|phdthesis|techreport)\s{0,3}\{|TY  - ",
        "a list of references",
        "Write a row per reference as CSV",
    ),
    (r"(c [^\n]{0,200}\n|c\n){0,50}p (edge|col|sp|max|cnf|tw) \d", "a DIMACS file", "Write edges as CSV"),
    (r"(?i)dl\s{1,9}n\s{0,3}=\s{0,3}\d", "a UCINET file", "Write the matrix or the edges as CSV"),
    (r">>(graph6|sparse6|digraph6)<<", "a list of graphs (graph6)", "Write GraphML, or edges as CSV"),
    (
        r"(\d{1,9}+[^\n]{0,100}+\n)++#\n\d{1,9} \d{1,9}",
        "a graph in the trivial graph format",
        "Write GraphML, or edges as CSV",
    ),
    (r"((\d{1,9} ){1,200}-1 ){1,200}-2\s", "sequences of sets (SPMF)", "Write a text per line, a word per item"),
    (r"(?i)Brain ?Vision (Data Exchange|Marker)", "a recording of BrainVision", _ARRAYS),
    (
        r"(\\[^\n]{0,500}\n){0,100}\|( {0,9}\w[^|\n]{0,100}\|){1,200}"
        r"\n\|( {0,9}(int|i|long|l|float|f|double|d|real|r|char|c|date) {0,30}\|)+",
        "an IPAC table",
        "Write CSV, in Python: astropy.table.Table.read",
    ),
    (
        r"([#@][^\n]{0,500}\n){0,100}@ +(title|xaxis|yaxis) ",
        "a plot of xmgrace (XVG)",
        "Delete the lines that begin with # or @",
    ),
    (
        r"(?i)[\w,]{1,200}\\(TIME_PERIOD|time)\t",
        "a table of Eurostat, whose numbers carry letters",
        "Download SDMX-CSV in its place",
    ),
    (r"[A-Z]{2}[A-Z0-9]{9}\d{6}[A-Z]{4}[ \d-]{5}", "daily weather of GHCN (.dly)", "Write a row per day as CSV"),
    (
        r"(\d{1,9} \d{1,9} \d{1,9}\n)?([-+\d.]{0,20}( \d{1,9}:[-+\d.eE]{1,30}){1,5000} ?\n){0,40}"
        r"\d{1,9}(,\d{1,9}){1,500} \d{1,9}:",
        "an SVMlight file with several labels per line",
        "Keep one label per line",
    ),
    (r"-DOCSTART- ", "a file of tagged words (CoNLL)", "Write a row per sentence as CSV"),
    (r"% (sym|asym|bip)\b", "a KONECT network", "Remove the lines that begin with %: the others are an edge list"),
    (
        r" ?[^\n|]{1,500}(\|[^\n|]{1,500}){1,100}\n-{2,500}(\+-{2,500}){1,100}\s",
        "a table printed by psql",
        "Export it as CSV, with \\copy and the option CSV HEADER",
    ),
    (r"LOCUS {2,9}\S{1,50} {1,30}\d{1,12} (bp|aa)", "a GenBank file", "Convert it to FASTA"),
    (r"ID   \S{1,50}; SV ", "an EMBL file", "Convert it to FASTA"),
    (r"A\n[23]\n\d{6}\n\d{6}\n", "R data", _R),
    (
        r'\{\s{0,20}"cells"\s{0,9}:\s{0,9}\[\s{0,20}\{\s{0,20}"(cell_type|attachments|execution)',
        "a Jupyter notebook",
        _TABLE,
    ),
    (r"(?i)<(!doctype html|html)", "a web page", "Save the data that it shows as CSV UTF-8"),
)


def kind_of(start: bytes, members: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the name of a format that is not read and how to convert it; None for other files.

    Parameters: `start`, its first bytes, 8 kB at most; `members`, the names in it where it is a zip.

    >>> kind_of(b"%PDF-1.7")
    ('a PDF document', 'Copy the table into a spreadsheet and save it as CSV UTF-8')
    >>> kind_of(b"ORCHID,colour\\n1,red\\n") is None
    True
    """
    odd = any(byte < 9 or 13 < byte < 27 for byte in start[:1024])
    for kind in FOREIGN:
        for mark in kind.marks:
            sure = odd or kind.text or not (mark.isascii() and mark.decode().isprintable())
            if sure and start.startswith(mark, kind.place):
                return kind.what, kind.next
    if start[512:520] == b"\x89HDF\r\n\x1a\n":
        return "an HDF5 file", _ARRAYS
    if _is_stata(start):
        return "a Stata file", _PANDAS.format("read_stata")
    if members:
        names = {member.rpartition("/")[2] for member in members} | set(members)
        return next(((what, step) for name, what, step in IN_ZIPS if name in names), None)
    text = start.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
    return next(((what, step) for mark, what, step in _TEXTS if re.match(mark, text)), None)


def _is_stata(start: bytes) -> bool:
    """Return whether a file is in Stata's format before version 13: a version, the byte order, type 1, and a zero."""
    return len(start) > 109 and start[0] in range(102, 116) and start[1] in (1, 2) and start[2] == 1 and start[3] == 0
