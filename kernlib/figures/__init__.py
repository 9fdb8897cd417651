"""Pure functions from results to Plotly figures; never imported by `kernlib` itself.

``from kernlib.figures import gram_heatmap``, or the subject you draw: ``from kernlib.figures import gram``.
"""

from .calibration import calibration_plot
from .choose import against, mixing_bars, posterior_bar, race_lines, settings_grid
from .curves import (
    chosen_strip,
    confusion_plot,
    criteria_lines,
    criteria_scatter,
    error_curve,
    precision_recall_plot,
    roc_plot,
    score_map,
)
from .data import (
    category_bars,
    class_counts,
    graph_drawing,
    image_grid,
    length_histogram,
    scatter,
    sequence_letters,
    sequence_logo,
    term_bars,
    value_histogram,
)
from .depth import QUANTITIES, contact_sheet, level_lines, recipe_lines
from .entries import by_size_plot, class_means, diagonal_histogram, geometry_histograms, spectrum_bars
from .explain import parts_bars, pixel_parts
from .film import film_figure, film_limits, film_table
from .gram import before_after, block_average, gram_heatmap, gram_panel, of_like_size, thumbnail
from .groups import grouped_gram, grouped_plane, stability_plot, unusual_plot
from .lecture import offline_page
from .level_beside import borders_beside, correlations_beside, distances_beside
from .level_film import Beside, level_film, level_numbers_beside, png
from .machine import (
    alpha_over_plot,
    alpha_plot,
    decision_field_plot,
    dual_over_gram,
    margin_histogram,
    toy_weights,
    weight_bars,
    wrong_bars,
)
from .overview import coefficient_bars, feature_map, what_if
from .papers import cosine_pair, dimension_moves, level_gains, published_beside, three_ways, verdict_bars
from .relevant import denoised_labels, noise_dimension_map
from .sets import improvement_bars, rank_lines, sets_page
from .sheet import sheet_picture
from .signal import dimension_over_rows, fit_over_input, noisier_plot, signal_and_noise_plot, signal_over_eigenvalues
from .spectra import (
    convergence_plot,
    diagonal_plot,
    eigenvectors_on_graph,
    gram_rows,
    kernels_plot,
    quadratic_plot,
    selected_coefficients,
    sphere_plot,
)
from .spectrum import (
    coefficient_plot,
    eigenvalue_plot,
    eigenvectors_over_input,
    leading_coefficients,
    likelihood_plot,
    pca_scatter,
    selection_curve,
)
from .theme import alt, caption, table
from .workings import (
    gaussian_profile,
    heat_on_graph,
    inverting_plot,
    recursion_table,
    window_bars,
    window_square,
)

__all__ = [
    "QUANTITIES",
    "Beside",
    "against",
    "alpha_over_plot",
    "alpha_plot",
    "alt",
    "before_after",
    "block_average",
    "borders_beside",
    "by_size_plot",
    "calibration_plot",
    "caption",
    "category_bars",
    "chosen_strip",
    "class_counts",
    "class_means",
    "coefficient_bars",
    "coefficient_plot",
    "confusion_plot",
    "contact_sheet",
    "convergence_plot",
    "correlations_beside",
    "cosine_pair",
    "criteria_lines",
    "criteria_scatter",
    "decision_field_plot",
    "denoised_labels",
    "diagonal_histogram",
    "diagonal_plot",
    "dimension_moves",
    "dimension_over_rows",
    "distances_beside",
    "dual_over_gram",
    "eigenvalue_plot",
    "eigenvectors_on_graph",
    "eigenvectors_over_input",
    "error_curve",
    "feature_map",
    "film_figure",
    "film_limits",
    "film_table",
    "fit_over_input",
    "gaussian_profile",
    "geometry_histograms",
    "gram_heatmap",
    "gram_panel",
    "gram_rows",
    "graph_drawing",
    "grouped_gram",
    "grouped_plane",
    "heat_on_graph",
    "image_grid",
    "improvement_bars",
    "inverting_plot",
    "kernels_plot",
    "leading_coefficients",
    "length_histogram",
    "level_film",
    "level_gains",
    "level_lines",
    "level_numbers_beside",
    "likelihood_plot",
    "margin_histogram",
    "mixing_bars",
    "noise_dimension_map",
    "noisier_plot",
    "of_like_size",
    "offline_page",
    "parts_bars",
    "pca_scatter",
    "pixel_parts",
    "png",
    "posterior_bar",
    "precision_recall_plot",
    "published_beside",
    "quadratic_plot",
    "race_lines",
    "rank_lines",
    "recipe_lines",
    "recursion_table",
    "roc_plot",
    "scatter",
    "score_map",
    "selected_coefficients",
    "selection_curve",
    "sequence_letters",
    "sequence_logo",
    "sets_page",
    "settings_grid",
    "sheet_picture",
    "signal_and_noise_plot",
    "signal_over_eigenvalues",
    "spectrum_bars",
    "sphere_plot",
    "stability_plot",
    "table",
    "term_bars",
    "three_ways",
    "thumbnail",
    "toy_weights",
    "unusual_plot",
    "value_histogram",
    "verdict_bars",
    "weight_bars",
    "what_if",
    "window_bars",
    "window_square",
    "wrong_bars",
]
