"""Pure functions from results to Plotly figures; never imported by `kernlib` itself.

``from kernlib.figures import gram_heatmap``, or the subject you draw: ``from kernlib.figures import gram``.
"""

from .calibration import calibration_plot
from .choose import race_lines, settings_grid
from .curves import (
    chosen_strip,
    confusion_plot,
    error_curve,
    roc_plot,
    score_map,
)
from .data import (
    category_bars,
    graph_drawing,
    image_grid,
    pca_scatter,
    scatter,
    sequence_letters,
    term_bars,
    value_histogram,
)
from .depth import border_frames, border_plot, level_gaps, level_map, level_strip
from .explain import parts_bars, pixel_parts
from .frames import mark_frames, matrix_frames, png, point_frames, sentence_frames, series_frames
from .gram import before_after, block_average, diagonal_histogram, gram_heatmap, thumbnail
from .groups import grouped_gram, grouped_plane, stability_plot, unusual_plot
from .lecture import offline_page
from .machine import (
    across_plot,
    decision_field_plot,
    fit_plot,
    margin_histogram,
    predicted_plot,
    weight_bars,
)
from .overview import feature_map, what_if
from .papers import (
    cosine_pair,
    dimension_moves,
    level_gains,
    noise_dimension_map,
    published_beside,
    three_ways,
    verdict_bars,
)
from .spectrum import (
    CutFrame,
    Rebuilt,
    coefficient_frames,
    coefficient_plot,
    eigenvalue_plot,
    likelihood_plot,
    rebuilt_frames,
    rebuilt_labels,
    signal_and_noise_plot,
)
from .theme import alt, caption, table

__all__ = [
    "CutFrame",
    "Rebuilt",
    "across_plot",
    "alt",
    "before_after",
    "block_average",
    "border_frames",
    "border_plot",
    "calibration_plot",
    "caption",
    "category_bars",
    "chosen_strip",
    "coefficient_frames",
    "coefficient_plot",
    "confusion_plot",
    "cosine_pair",
    "decision_field_plot",
    "diagonal_histogram",
    "dimension_moves",
    "eigenvalue_plot",
    "error_curve",
    "feature_map",
    "fit_plot",
    "gram_heatmap",
    "graph_drawing",
    "grouped_gram",
    "grouped_plane",
    "image_grid",
    "level_gains",
    "level_gaps",
    "level_map",
    "level_strip",
    "likelihood_plot",
    "margin_histogram",
    "mark_frames",
    "matrix_frames",
    "noise_dimension_map",
    "offline_page",
    "parts_bars",
    "pca_scatter",
    "pixel_parts",
    "png",
    "point_frames",
    "predicted_plot",
    "published_beside",
    "race_lines",
    "rebuilt_frames",
    "rebuilt_labels",
    "roc_plot",
    "scatter",
    "score_map",
    "sentence_frames",
    "sequence_letters",
    "series_frames",
    "settings_grid",
    "signal_and_noise_plot",
    "stability_plot",
    "table",
    "term_bars",
    "three_ways",
    "thumbnail",
    "unusual_plot",
    "value_histogram",
    "verdict_bars",
    "weight_bars",
    "what_if",
]
