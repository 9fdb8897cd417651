"""Pure functions from results to Plotly figures; never imported by `kernlib` itself.

``from kernlib.figures import gram_heatmap``, or the subject you draw: ``from kernlib.figures import gram``.
"""

from .choose import race_lines as race_lines
from .choose import settings_grid as settings_grid
from .curves import confusion_plot as confusion_plot
from .curves import error_curve as error_curve
from .curves import roc_plot as roc_plot
from .curves import score_map as score_map
from .curves import what_if as what_if
from .data import category_bars as category_bars
from .data import feature_map as feature_map
from .data import graph_drawing as graph_drawing
from .data import image_grid as image_grid
from .data import scatter as scatter
from .data import sequence_letters as sequence_letters
from .data import term_bars as term_bars
from .data import value_histogram as value_histogram
from .depth import level_map as level_map
from .depth import level_strip as level_strip
from .frames import figure_frames as figure_frames
from .frames import mark_frames as mark_frames
from .frames import matrix_frames as matrix_frames
from .frames import moving as moving
from .frames import png as png
from .frames import sentence_frames as sentence_frames
from .gram import diagonal_histogram as diagonal_histogram
from .gram import gram_heatmap as gram_heatmap
from .gram import thumbnail as thumbnail
from .machine import across_plot as across_plot
from .machine import border_frames as border_frames
from .machine import border_plot as border_plot
from .machine import decision_field_plot as decision_field_plot
from .machine import fit_figure as fit_figure
from .machine import grouped_gram as grouped_gram
from .machine import grouped_plane as grouped_plane
from .machine import parts_bars as parts_bars
from .machine import pixel_parts as pixel_parts
from .machine import predicted_plot as predicted_plot
from .machine import stability_plot as stability_plot
from .papers import level_gains as level_gains
from .papers import noise_dimension_map as noise_dimension_map
from .papers import published_beside as published_beside
from .papers import three_ways as three_ways
from .spectrum import CutFrame as CutFrame
from .spectrum import Rebuilt as Rebuilt
from .spectrum import coefficient_plot as coefficient_plot
from .spectrum import cut_frames as cut_frames
from .spectrum import eigenvalue_plot as eigenvalue_plot
from .spectrum import likelihood_plot as likelihood_plot
from .spectrum import rebuilt_labels as rebuilt_labels
from .spectrum import signal_and_noise_plot as signal_and_noise_plot
from .theme import alt as alt
from .theme import caption as caption
from .theme import offline_page as offline_page
from .theme import table as table
