"""Decode text that is not UTF-8, with a guess that shows a sample."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from ..errors import DataError
from .foreign import kind_of
from .uploads import is_binary, not_text, shortened

#: The encodings that a person can choose: Python's name and the text on screen.
ENCODINGS = {
    "cp1252": "Western (Windows-1252)", "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)", "cp1253": "Greek (Windows-1253)", "cp1254": "Turkish (Windows-1254)",
    "mac_roman": "Western (an old Macintosh)", "cp850": "Western (DOS)", "latin_1": "Western (ISO 8859-1)",
    "shift_jis": "Japanese (Shift JIS)", "euc_jp": "Japanese (EUC-JP)", "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)", "euc_kr": "Korean (EUC-KR)",
}  # fmt: skip
#: Bytes that Windows-1252 gives to rare signs such as ‰ and ƒ, other encodings to letters.
_RARE = re.compile(rb"[\x81-\x84\x86-\x90\x98\x9b\x9d\x9f]")
#: The number of bytes that are judged.
_JUDGED = 100_000


def as_utf8(raw: bytes, name: str, encoding: str = "") -> tuple[bytes, tuple[str, ...]]:
    """Return the text in UTF-8, and a sentence on its encoding; UTF-8 and binary files are returned as they are.

    Parameters: `encoding`, a name of `ENCODINGS`; "" guesses: Windows-1252, which has the letters of Western Europe,
    where that is possible.

    Raises DataError for another name, and for text that cannot be of that encoding.

    >>> as_utf8("x;Größe".encode("cp1252"), "t.csv")[0].decode()
    'x;Größe'
    """
    if encoding and encoding not in ENCODINGS:
        raise DataError(f"{name}: the encoding must be one of {', '.join(ENCODINGS)}; got {encoding!r}. Choose one.")
    marked = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8))
    if raw.isascii() or marked or not_text(raw) or b"\0" in raw or is_binary(raw) or kind_of(raw[:8192]):
        return raw, ()
    lenient = raw.decode("utf-8", "replace")
    wrong = lenient.count("\ufffd")
    if not encoding and (not wrong or wrong < sum(c > "\x7f" for c in lenient) - wrong):
        return raw, ()  # UTF-8; a single wrong byte is an error, which a reader names by the line
    lines = [line for line in raw[:_JUDGED].splitlines() if not line.isascii()] or [raw[:_JUDGED]]
    sample = b"\n".join(lines)
    matches = from_bytes(sample, cp_isolation=list(ENCODINGS), enable_fallback=False, threshold=0.5)
    ranked = [one for match in matches for one in (match.encoding, *match.could_be_from_charset)]
    western = (not matches or "cp1252" in matches[0].could_be_from_charset) and bool(_words(lines, "cp1252"))
    rare = 10 * len(_RARE.findall(sample)) > sum(byte > 127 for byte in sample)
    chosen = encoding or ("cp1252" if western else next(iter(ranked), "latin_1"))
    try:
        text = raw.decode(chosen)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{name}: line {line} cannot be {ENCODINGS[chosen]} (byte {raw[error.start]:#04x}). Choose another "
            "encoding, or save the file as UTF-8 ('CSV UTF-8' in a spreadsheet)."
        ) from None
    shown = shortened(_words(lines, chosen))
    doubt = "" if encoding or (western and not rare) else " Another encoding is possible."
    return text.encode(), (f"The file is not UTF-8. It is read as {ENCODINGS[chosen]}, for example {shown}.{doubt}",)


def possible_encodings(raw: bytes) -> dict[str, str]:
    """Return the encodings that the bytes allow and that give different text, each with its first words.

    >>> possible_encodings("Größe".encode("cp1252"))["cp1252"]
    'Größe'
    """
    lines = [line for line in raw[:_JUDGED].splitlines() if not line.isascii()]
    readings: dict[str, str] = {}  # what the file says → the first encoding in which it says so
    for one in ENCODINGS:
        if words := _words(lines, one):
            readings.setdefault(words, one)
    return {one: words for words, one in readings.items()}


def _words(lines: list[bytes], encoding: str) -> str:
    """Return the first words beyond ASCII in this encoding; "" where it cannot decode them."""
    try:
        text = b"\n".join(lines[:4]).decode(encoding)
    except UnicodeDecodeError:
        return ""
    words = (word for word in re.split(r"[\s,;|\"']+", text) if not word.isascii())
    return " ".join(dict.fromkeys(words))[:50]
