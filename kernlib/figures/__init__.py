"""Pure functions from results to Plotly figures; never imported by `kernlib` itself.

``from kernlib.figures import gram_heatmap``, or the subject you draw: ``from kernlib.figures import gram``.
"""

from .choose import race_lines, settings_grid
from .curves import (
    confusion_plot,
    error_curve,
    roc_plot,
    score_map,
    what_if,
)
from .data import (
    category_bars,
    feature_map,
    graph_drawing,
    image_grid,
    scatter,
    sequence_letters,
    term_bars,
    value_histogram,
)
from .depth import level_map, level_strip
from .frames import Moving, figure_frames, mark_frames, matrix_frames, png, sentence_frames
from .gram import diagonal_histogram, gram_heatmap, thumbnail
from .machine import (
    across_plot,
    border_frames,
    border_plot,
    decision_field_plot,
    fit_figure,
    grouped_gram,
    grouped_plane,
    parts_bars,
    pixel_parts,
    predicted_plot,
    stability_plot,
)
from .papers import (
    level_gains,
    noise_dimension_map,
    published_beside,
    three_ways,
)
from .spectrum import (
    CutFrame,
    Rebuilt,
    coefficient_plot,
    cut_frames,
    eigenvalue_plot,
    likelihood_plot,
    rebuilt_labels,
    signal_and_noise_plot,
)
from .theme import alt, caption, offline_page, table

__all__ = [
    "CutFrame",
    "Moving",
    "Rebuilt",
    "across_plot",
    "alt",
    "border_frames",
    "border_plot",
    "caption",
    "category_bars",
    "coefficient_plot",
    "confusion_plot",
    "cut_frames",
    "decision_field_plot",
    "diagonal_histogram",
    "eigenvalue_plot",
    "error_curve",
    "feature_map",
    "figure_frames",
    "fit_figure",
    "gram_heatmap",
    "graph_drawing",
    "grouped_gram",
    "grouped_plane",
    "image_grid",
    "level_gains",
    "level_map",
    "level_strip",
    "likelihood_plot",
    "mark_frames",
    "matrix_frames",
    "noise_dimension_map",
    "offline_page",
    "parts_bars",
    "pixel_parts",
    "png",
    "predicted_plot",
    "published_beside",
    "race_lines",
    "rebuilt_labels",
    "roc_plot",
    "scatter",
    "score_map",
    "sentence_frames",
    "sequence_letters",
    "settings_grid",
    "signal_and_noise_plot",
    "stability_plot",
    "table",
    "term_bars",
    "three_ways",
    "thumbnail",
    "value_histogram",
    "what_if",
]
