"""Name the formats that are not read, by their first bytes, and how to convert them."""

from __future__ import annotations

import re
from collections.abc import Collection

_BEHIND = "Give the numbers behind it"
_TABLE = "Export the table as CSV"
_SHEET = "Save the sheet as CSV UTF-8"
_COPY = "Copy the table into a spreadsheet and save it as CSV UTF-8"
_UNPACK = "Unpack it, and give the file inside, or a .zip or .gz of it"
_ARRAYS = "Save the arrays with numpy.savez"
_ROWS = "Write a row per {} as CSV"
_R = "In R: write.csv(x, 'x.csv', row.names = FALSE)"
_GRAPH = "Write GraphML, or edges as CSV"
_FASTA = "Convert it to FASTA"
_PANDAS = "In Python: pandas.{}.to_csv('x.csv', index=False)"
_BIO = "In Python: Bio.SeqIO.convert('x', '{}', 'x.fasta', 'fasta')"
_ALIGNED = "In Python: Bio.AlignIO.convert('x', '{}', 'x.fasta', 'fasta')"
#: A table without names of columns; pandas would write their numbers.
_HEADLESS = "In Python: pandas.read_csv({}, header=None).to_csv('x.csv', index=False, header=False)"
#: Lines of comments above a format's first line.
_NOTES = r"(#[^\n]{0,500}\n){0,50}"
#: A byte that text does not have, further on: letters alone could also begin a table.
_BYTES = r"(?=[\s\S]{0,1000}?[\0-\x08\x0e-\x1a])"

#: Each format: a regular expression that matches the first bytes, the format's name, and what to do. The expression is
#: tried at the first byte and at the first letter; "zip:" names a file in a zip archive. The rarer ones come first.
FOREIGN: tuple[tuple[str, str, str], ...] = (
    # Bytes.
    (r"%PDF", "a PDF document", _COPY),
    (r"\x89PNG", "a PNG picture", _BEHIND),
    (r"\xff\xd8\xff", "a JPEG picture", _BEHIND),
    (r"GIF8[79]a" + _BYTES, "a GIF picture", _BEHIND),
    (r"II\*\0|MM\0\*", "a TIFF picture", _BEHIND),
    (rf"(RIFF|ID3|OggS|fLaC){_BYTES}", "an audio, video or picture file", _BEHIND),
    (r"[\s\S]{128}DICM", "a DICOM picture", _BEHIND),
    (r"([\s\S]{512})?\x89HDF\r\n\x1a\n", "an HDF5 file", _ARRAYS),
    (r"CDF[\x01\x02\x05]", "a netCDF file", _ARRAYS),
    (r"FCS[23]\.[01]  ", "a flow cytometry file (FCS)", "Export the events as CSV"),
    (r"SIMPLE  =", "a FITS file", _ARRAYS),
    (
        r"\x80[\x02-\x05]",
        "a pickle, which is never opened since it can run programs",
        "Save a table with .to_csv('x.csv', index=False) or arrays with numpy.savez",
    ),
    (r"RD[AX][23]\n|X\n\0\0\0|A\n[23]\n\d{6}\n\d{6}\n", "R data", _R),
    (r"\$FL[23]@\(#\)", "an SPSS file", _PANDAS.format("read_spss('x.sav')")),
    (r"<stata_dta>|[f-s][\x01\x02]\x01\0(?=[\s\S]{105})", "a Stata file", _PANDAS.format("read_stata('x.dta')")),
    (r"\0{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}LIB", "a SAS file", _PANDAS.format("read_sas('x')")),
    (r"ARROW1" + _BYTES + "|FEA1" + _BYTES, "a Feather or Arrow file", _PANDAS.format("read_feather('x')")),
    (r"ORC" + _BYTES, "an ORC file", _PANDAS.format("read_orc('x.orc')")),
    (r"Obj\x01", "an Avro file", _TABLE),
    (r"SQLite format 3\0", "an SQLite database", _TABLE),
    (r"[\s\S]{8}DUCK" + _BYTES, "a DuckDB database", _TABLE),
    (r"\0\x01\0\0Standard ", "an Access database", _TABLE),
    (r"\xd0\xcf\x11\xe0", "an old spreadsheet or document (.xls, .doc)", _SHEET),
    (r"\{\\rtf", "a rich-text document", "Save the text as UTF-8, or a table as CSV UTF-8"),
    (r"%!PS", "a PostScript file", _BEHIND),
    (rf"BZh{_BYTES}", "a bzip2 archive", _UNPACK),
    (r"\xfd7zXZ", "an xz archive", _UNPACK),
    (r"7z\xbc\xaf", "a 7z archive", _UNPACK),
    (rf"Rar!{_BYTES}", "a RAR archive", _UNPACK),
    (r"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (r"\x04\x22\x4d\x18", "an LZ4 archive", _UNPACK),
    (r"[\s\S]{257}ustar", "a tar archive", _UNPACK),
    (r"\x7fELF|MZ\x90\0", "a program", "Choose a file of data"),
    (r"BAM\x01", "a BAM file", _FASTA),
    (r"l\x1b[\0\x01]", "genotypes of PLINK (.bed)", "Run plink --recode A, and give the .raw file"),
    # Members of a zip.
    (r"zip:word/document.xml", "a Word document", _COPY),
    (r"zip:ppt/presentation.xml", "a PowerPoint file", _COPY),
    (r"zip:xl/workbook.bin", "a binary Excel workbook (.xlsb)", "Save it as .xlsx, or the sheet as CSV UTF-8"),
    (r"zip:content.xml", "an OpenDocument spreadsheet or document", _SHEET),
    (r"zip:data.pkl", "a PyTorch file, a pickle that is never opened since it can run programs", _ARRAYS),
    (r"zip:META-INF/MANIFEST.MF", "a Java archive", "Choose a file of data"),
    (r"zip:\[Content_Types\].xml", "an Office document", _SHEET),
    (r"zip:mimetype", "a document", _SHEET),
    # Graphs.
    (r"\*(Vertices|vertices|Network)", "a Pajek network", _GRAPH),
    (r"(?i)(strict\s{1,9})?(di)?graph\s{0,9}(\"?\w{0,100}\"?\s{0,9})?\{", "a Graphviz graph", _GRAPH),
    (r"(c [^\n]{0,200}\n|c\n){0,50}p (edge|col|sp|max|cnf|tw) \d", "a DIMACS file", "Write edges as CSV"),
    (r"(?i)dl\s{1,9}n\s{0,3}=\s{0,3}\d", "a UCINET file", "Write the matrix or the edges as CSV"),
    (r">>(graph6|sparse6|digraph6)<<", "a list of graphs (graph6)", _GRAPH),
    (r"(\d{1,9}+[^\n]{0,100}+\n)++#\n\d{1,9} \d{1,9}", "a graph in the trivial graph format", _GRAPH),
    (r"% (sym|asym|bip)\b", "a KONECT network", "Remove the lines that begin with %: the others are an edge list"),
    (
        r"NAME ?:[^\n]{0,200}\n[\s\S]{0,2000}?(NODE_COORD|EDGE_WEIGHT)_SECTION",
        "a TSPLIB file",
        "Write the coordinates or the distances as CSV",
    ),
    # Sequences and genomes.
    (r"# STOCKHOLM", "a Stockholm alignment", _ALIGNED.format("stockholm")),
    (r"CLUSTAL [WO2]", "a Clustal alignment", _ALIGNED.format("clustal")),
    (r"(?i)#mega", "a MEGA file", "In MEGA: export the alignment as FASTA, or the distances as CSV"),
    (r"(?i)#nexus", "a NEXUS file", _ALIGNED.format("nexus")),
    (
        r" *\d{1,9}[ \t]{1,9}\d{1,9}([ \t]{1,9}[A-Za-z]{1,5})?[ \t]*\n"  # taxa and letters, then a name and letters
        r" *([^\n]{10}|\S{1,200}[ \t\n])[ \t]*([ACGTUN?.\-]+|[A-Za-z?*.\-]{10,})( +[A-Za-z?*.\-]+)*[ \t]*(\n|$)",
        "an alignment of PHYLIP",
        _ALIGNED.format("phylip-relaxed"),
    ),
    (
        r";[^\n]{0,500}\n(;[^\n]{0,500}\n)*[A-Za-z*\-\s]{20,}(\n;|$)",
        "a file of sequences whose headers begin with ;",
        "Write > in front of each name: that is FASTA",
    ),
    (r">(P1|F1|DL|DC|RL|RC|N3|N1|XX);", "a file of sequences of PIR (NBRF)", _BIO.format("pir")),
    (r"LOCUS {2,9}\S{1,50} {1,30}\d{1,12} (bp|aa)", "a GenBank file", _BIO.format("genbank")),
    (r"ID   \S{1,50}; SV ", "an EMBL file", _BIO.format("embl")),
    (r"##gff-version", "a GFF file", _ROWS.format("feature")),
    (r"@(HD\tVN|SQ\tSN):", "a SAM file", _FASTA),
    (r"##fileformat=VCF", "a VCF file", "Write the genotypes as CSV, a row per sample"),
    (r"track type=|(variable|fixed)Step chrom", "a genome track (WIG)", "Write the table as CSV"),
    (r"HMMER3/", "a HMMER profile", "Give the sequences behind it as FASTA"),
    (r"Distance Matrix\n---", "a table of distances of EMBOSS", "Write PHYLIP distances, or CSV"),
    (r"\([^;\n]{3,8000}\)[^;\n(),]{0,50};\s*$", "a tree (Newick)", "Write its distances as a matrix"),
    (
        _NOTES + r"([^\t\n]{1,100}\t){3}\d{1,12}\t\d{1,12}\t[-+\d.eE]{1,30}\t[-+.?]\t[.012]\t",
        "a table of genes (GTF or GFF)",
        _ROWS.format("feature"),
    ),
    (
        r"((#|track|browser)[^\n]{0,500}\n){0,20}chr\w{1,30}[ \t]\d{1,12}[ \t]\d{1,12}([ \t][^\n]{0,2000})?\n"
        r"chr\w{1,30}[ \t]\d{1,12}[ \t]\d{1,12}([ \t][^\n]*)?(\n|$)",
        "a table of places in a genome (BED)",
        _HEADLESS.format("'x.bed', sep=r'\\s+', comment='#'"),
    ),
    (
        r"(\S{1,50}[ \t]){4}[012][ \t]-?\d{1,5}(\.\d{1,9})?([ \t]{1,3}[ACGTN0D-I][ \t][ACGTN0D-I]){1,4000}[ \t]*\n",
        "persons of PLINK (.ped)",
        "Run plink --recode A, and give the .raw file",
    ),
    (
        r"(?=[^\s]{0,50}[ \t]?\S{0,50}[A-Za-z])(\S{1,50}[ \t]){2}0[ \t]0[ \t][012][ \t](-9|[012])\n"
        r"(\S{1,50}[ \t]){4}[012][ \t](-9|[012])(\n|$)",
        "persons of PLINK (.fam)",
        _PANDAS.format("read_csv('x.fam', sep=r'\\s+', header=None, names=['FID', 'IID', 'PAT', 'MAT', 'SEX', 'Y'])"),
    ),
    (
        _NOTES + r"([^\t\n]{1,200}\t){2}\d{1,3}\.\d{1,5}\t(\d{1,12}\t){7}[-+.\deE]{1,30}\t *[.\deE+]{1,30} *(\n|$)",
        "a table of hits of BLAST",
        _HEADLESS.format("'x.tsv', sep='\\t', comment='#'"),
    ),
    (
        r"#1\.[23][ \t]*\n\d{1,9}\t\d{1,9}",
        "a table of gene expression (GCT)",
        "In Python: pandas.read_csv('x.gct', sep='\\t', skiprows=2, index_col=0).iloc[:, 1:].T.to_csv('x.csv')",
    ),
    (
        r"!(Series|Sample)_\w{1,100}\t",
        "a series matrix of GEO",
        "In Python: pandas.read_csv('x.txt', sep='\\t', comment='!', index_col=0).T.to_csv('x.csv')",
    ),
    (
        _NOTES + r"Geneid\tChr\tStart\tEnd\tStrand\tLength\t",
        "a table of counts of featureCounts",
        "In Python: pandas.read_csv('x.txt', sep='\\t', comment='#', index_col=0).iloc[:, 5:].T.to_csv('x.csv')",
    ),
    # Molecules, spectra, shapes.
    (r"([^\n]{0,200}\n){2,3}[ \d]{6}[^\n]{0,60}V[23]000", "a molfile (SDF)", "Write SMILES"),
    (r"@<TRIPOS>", "a molecule (MOL2)", "Write SMILES"),
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
    (
        r"(MASS=[^\n]{0,200}\n|#[^\n]{0,200}\n){0,20}BEGIN IONS\s",
        "a list of spectra (MGF)",
        "Write a row per spectrum as CSV, a column per place",
    ),
    (r"##TITLE ?=", "a spectrum (JCAMP-DX)", "Write a row per spectrum as CSV, a column per place"),
    (
        r"ply\s+format (ascii|binary)|solid [^\n]{0,200}\n\s{0,99}facet normal"
        r"|(ST|C|N|4|n){0,5}OFF\s+(#[^\n]{0,200}\n){0,20}\d{1,9} \d{1,9} \d"
        r"|(#[^\n]{0,200}\n|(o|g|mtllib) [^\n]{0,200}\n){0,20}v (-?\d+\.\d+ ){2}-?\d+\.\d+\s",
        "a three-dimensional mesh",
        "Write its measurements as CSV, a row per mesh",
    ),
    # Texts.
    (r"\\documentclass|\\begin\{", "a LaTeX document", "Save the table as CSV UTF-8"),
    (r"\\data\\", "an ARPA language model", "Give the texts behind it"),
    (
        r"__label__\S",
        "texts of fastText",
        "In Python: pandas.read_csv('x.txt', sep='\\x01', header=None)[0].str.extract(r'__label__(\\S+) (.*)')"
        ".to_csv('x.csv', index=False, header=['label', 'text'])",
    ),
    (
        r"\d{1,9}\n\d{1,9}\n\d{1,12}\n\d{1,9} \d{1,9} \d{1,9}(\n|$)",
        "a bag of words (docword)",
        "In Python: pandas.read_csv('x.txt', sep=' ', skiprows=3, header=None).pivot_table(index=0, columns=1, "
        "values=2, fill_value=0).add_prefix('word ')"
        ".rename_axis('document').to_csv('x.csv')",
    ),
    (
        r"# (newdoc|newpar|sent_id|text)\b[^\n]{0,2000}\n[\s\S]{0,4000}?\n?1\t\S",
        "a treebank (CoNLL-U)",
        _ROWS.format("sentence"),
    ),
    (r"-DOCSTART- ", "a file of tagged words (CoNLL)", _ROWS.format("sentence")),
    (r"(\[[A-Z][A-Za-z]{1,30} \"[^\n]{0,200}\"\]\n){2}", "chess games (PGN)", _ROWS.format("game")),
    (r"BEGIN:V(CALENDAR|CARD)\s", "a calendar or an address book", _ROWS.format("entry")),
    (r"From [^\n]{3,200}\n([A-Z][A-Za-z-]{1,40}: [^\n]{0,500}\n){2}", "a mailbox", _ROWS.format("message")),
    (r"(WEBVTT\b|1\n\d\d:\d\d:\d\d,\d{3} --> )", "subtitles", "Write the texts as CSV"),
    (
        r"(?i)@(article|book|inproceedings|misc|phdthesis|techreport)\s{0,3}\{|TY  - ",
        "a list of references",
        _ROWS.format("reference"),
    ),
    (r"((\d{1,9} ){1,200}-1 ){1,200}-2\s", "sequences of sets (SPMF)", "Write a text per line, a word per item"),
    (r"\{\s{0,20}\"cells\"\s{0,9}:\s{0,9}\[\s{0,20}\{\s{0,20}\"(cell_type|attachments|execution)",
     "a Jupyter notebook", "Write the table as CSV"),
    (r"(?i)<(!doctype html|html)", "a web page", "Save the data that it shows as CSV UTF-8"),
    # Tables.
    (
        r"(?i)(--[^\n]{0,200}\n|/\*[^\n]{0,200}\n|\s){0,30}(CREATE TABLE|INSERT INTO|DROP TABLE)",
        "an SQL dump",
        _TABLE,
    ),
    (
        r"(?i)(%[^\n]{0,500}\n|\n){0,50}@relation[\s\S]{0,8000}?\n@(in|out)puts?\s",
        "a table of KEEL",
        _HEADLESS.format("'x.dat', comment='@', skipinitialspace=True"),
    ),
    (
        r"[-+\d. ]{0,20}('\S{1,50} ?)?\|\S{0,20} [^\n|]{0,2000}?[A-Za-z]\w{0,50}:-?[\d.]+\s",
        "a Vowpal Wabbit file",
        "Write SVMlight, or CSV",
    ),
    (
        r"[-+\d.]{1,20}( \d{1,10}:\d{1,12}:[-+\d.eE]{1,30}){1,300}\s",
        "a LIBFFM file, label field:feature:value",
        "Leave the fields out: label feature:value is SVMlight",
    ),
    (
        r"(\d{1,9} \d{1,9} \d{1,9}\n)?([-+\d.]{0,20}( \d{1,9}:[-+\d.eE]{1,30}){1,5000} ?\n){0,40}"
        r"\d{1,9}(,\d{1,9}){1,500} \d{1,9}:",
        "an SVMlight file with several labels per line",
        "Keep one label per line",
    ),
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
    (r"[A-Z]{2}[A-Z0-9]{9}\d{6}[A-Z]{4}[ \d-]{5}", "daily weather of GHCN (.dly)", _ROWS.format("day")),
    (
        r" ?[^\n|]{1,500}(\|[^\n|]{1,500}){1,100}\n-{2,500}(\+-{2,500}){1,100}\s",
        "a table printed by psql",
        "Export it as CSV, with \\copy and the option CSV HEADER",
    ),
)  # fmt: skip


def kind_of(start: bytes, members: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the name of a format that is not read and how to convert it; None for other files.

    Parameters: `start`, its first bytes, 8 kB at most; `members`, the names in it where it is a zip.

    >>> kind_of(b"%PDF-1.7")
    ('a PDF document', 'Copy the table into a spreadsheet and save it as CSV UTF-8')
    >>> kind_of(b"ORCHID,colour\\n1,red\\n") is None
    True
    """
    names = {f"zip:{name}" for member in members for name in (member, member.rpartition("/")[2])}
    raw = start.decode("latin-1")
    text = raw.removeprefix("\xef\xbb\xbf").replace("\r\n", "\n").replace("\r", "\n").lstrip()
    begins = (raw, text, *sorted(names))
    return next(((what, step) for mark, what, step in FOREIGN if any(re.match(mark, begin) for begin in begins)), None)
