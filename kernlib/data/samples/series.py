"""Sample data whose rows are time series."""

from __future__ import annotations

import gzip

from ..containers.complete import read_ts
from ..uploads import LIMITS
from .files import sample_file
from .sample import UCI, Content, sample


@sample(
    "japanese-vowels",
    "Japanese vowels, nine speakers",
    "series",
    270,
    "series of 7 to 26 times, 12 channels",
    files=("japanese-vowels.ts.gz",),
    source="UCI Japanese Vowels, training part as the UEA archive gives it",
    licence=UCI,
    citation="Kudo, Toyama, Shimbo 1999",
    look_for="Aligned, or compared time by time, few utterances are misclassified; by their rhythm alone, many are.",
    note="Each series is one utterance of /ae/: twelve cepstrum coefficients, one time every 6.4 ms.",
)
def japanese_vowels() -> Content:
    """Return utterances of nine men, 30 of each: the class is the speaker."""
    (file,) = japanese_vowels.files
    data = read_ts(gzip.decompress(sample_file(file).read_bytes()).decode(), file, LIMITS)
    return dict(rows=data.rows, y=data.y, classes=tuple(f"speaker {name}" for name in data.classes))
