"""All labs, in the order of the shelf: what each asks, shows and measures, and the data and kernel that show it."""

from __future__ import annotations

from kernlib.labs.measured import image_side, row_sizes
from pages.parts.session.state import DataChoice
from pages.views.labs import against, drawn, moving
from pages.views.labs.measured import Measures, column_counts, in_hand, same_kernel
from pages.views.labs.shelf import (
    Lab,
    needs,
    needs_categories,
    needs_classes,
    needs_labels,
    needs_parameter,
    needs_two,
    needs_vectors,
)

_STRINGS = DataChoice("markov-strings"), "Subsequence(order=3, decay=0.25)"
_PROMOTERS = DataChoice("promoters-categorical")

_ALL = (
    Lab(
        "likeness",
        "Similar rows, similar labels",
        "Do rows that a kernel calls similar have the same class?",
        "[D] similarity principle",
        "All pairs of rows are ordered by their similarity. Drag how many of the most similar pairs count: "
        "the blue curve is the share of them with one class.",
        DataChoice("breast-cancer-10", (("n", 200),)),
        "Standardized(RBF(sigma=2.5))",
        Measures(
            same_kernel("Most similar pairs (%)", "{}%", (0.1, 0.3, 1, 3, 10, 30, 100), 2),
            "Share of pairs with one class",
            "[D] asks that similar rows have similar labels; pairs are ordered by the kernel's cosine. "
            "All labels are used: nothing is predicted.",
            "pairs with one class",
        ),
        (needs_classes,),
    ),
    Lab(
        "length",
        "Size of the rows",
        "What does a kernel know beyond the size of the rows?",
        "[O] section 2; [D] normalised kernels",
        "Three machines predict the class: by the kernel, by the normalised kernel, and by the size of a row alone. "
        "Drag the kernel's parameter.",
        DataChoice("mutag"),
        "WeisfeilerLehman(level=2)",
        Measures(
            in_hand,
            "Test error over the kernel's parameter",
            "Larger rows have larger values; a normalised kernel divides by the length of both rows in feature space.",
        ),
        (needs_classes, needs_parameter, needs(row_sizes)),
    ),
    Lab(
        "capacity",
        "Capacity of a narrow RBF",
        "Can a kernel separate any labels, and what does that cost?",
        "[R] Embedded image has finite complexity",
        "The same machine learns the true labels, and labels that are shuffled and mean nothing. "
        "Drag the kernel's parameter: where does the training error come close to 0 for both?",
        DataChoice("banana", (("n", 160),)),
        "RBF(sigma=0.5)",
        Measures(
            in_hand,
            "Errors on the labels and on shuffled labels",
            "A machine that fits shuffled labels without error fits any labels: its training error says nothing.",
        ),
        (needs_classes, needs_parameter),
    ),
    Lab(
        "phi",
        "φ on the entries' own axis",
        "Which function of the entries does a kernel with a large diagonal need?",
        "[O] section 3, its open question",
        "Each mark is a pair of rows at its similarity |k|. Drag the orange points up or down: "
        "φ replaces every similarity, and numbers and errors follow.",
        *_STRINGS,
        drawn.phi,
        (needs_labels,),
    ),
    Lab(
        "theorem",
        "The theorem with the true spectrum",
        "How fast do eigenvalues and label coefficients of n rows approach their limits?",
        "[R] Theoretical analysis; Zhu et al. 1998",
        "Blue points are computed from n rows; the grey lines are what they approach as rows are added. "
        "Drag n: large values settle first.",
        DataChoice("normal-inputs"),
        "RBF(sigma=0.5)",
        moving.theorem,
        (needs_labels,),
    ),
    Lab(
        "transduction",
        "Transduction",
        "What do test rows without labels add to the empirical map?",
        "[O] section 3, equation 19",
        "Each row is described by its similarities to landmarks: training rows, or all rows, test rows without labels "
        "included. Drag the power p of the similarities.",
        *_STRINGS,
        Measures(
            same_kernel("Power p", "p = {}", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0), 4, log=False),
            "Test error over the power",
            "Test rows without their labels are among the landmarks of the second and third curve. "
            "New rows would need them again.",
        ),
        (needs_classes,),
    ),
    Lab(
        "regulariser",
        "Σ a² and the empirical map",
        "Which machine does the regulariser Σ a² stand for?",
        "[O] equations 11 to 16",
        "Two penalties keep a support vector machine simple, ‖w‖² and Σ a². That with Σ a² is computed in two ways, "
        "whose curves coincide. Drag C, the price of training errors.",
        *_STRINGS,
        Measures(
            same_kernel("C", "C = {}", (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0), 3),
            "Test error over C",
            "C is in units of one over the kernel's spread: large, a training error costs much.",
        ),
        (needs_two,),
    ),
    Lab(
        "selection",
        "Feature selection, the rival",
        "Does choosing columns do what a function of the entries does?",
        "[O] section 4, tables with feature selection",
        "Only the columns in which the classes differ most are kept. Drag how many; the green line keeps all columns "
        "and takes the power 0.5 of the kernel.",
        DataChoice("colon-noise", (("scaling", "tissues"),)),
        "Linear()",
        Measures(
            column_counts,
            "Test error over the number of columns",
            "Columns are ranked by the distance of the means of the classes over the spreads. "
            "Ranked on all rows, the test rows have chosen too.",
        ),
        (needs_two, needs_vectors),
    ),
    Lab(
        "against",
        "A against B",
        "On how many problems does the power lower the test error?",
        "[O] Figure 3",
        "Each point is a data set: the error of a kernel across, that of its power p upwards. "
        "Drag p; below the dashed line the power is better.",
        DataChoice("markov-strings", (("seed", 0),)),
        "Subsequence(order=3, decay=0.25)",
        against.draw,
        (needs_classes,),
    ),
    Lab(
        "criterion",
        "Criterion against error",
        "Does the criterion that needs no machine pick the kernel that predicts best?",
        "[R] Application: model selection",
        "The blue curve is the error on new rows; the orange curve is known without any. "
        "Drag the kernel's parameter: do both have their lowest point at one place?",
        DataChoice("banana", (("n", 200),)),
        "RBF(sigma=0.5)",
        Measures(
            in_hand,
            "Test error, and leave-one-out error that is known without it",
            "The test error needs halves of the rows; the other curve is ridge regression with each row left out. "
            "−log ℓ and alignment are in the sentence.",
        ),
        (needs_labels, needs_parameter),
    ),
    Lab(
        "bandwidth",
        "Rows behind h",
        "How many rows does the bandwidth h of a level need?",
        "[K] sections 2.2 and 3.6",
        "One level of depth learns its bandwidth h from distances between rows. Drag the number of rows: "
        "the curves are the worst, the mean and the best of eight draws.",
        DataChoice("banana", (("n", 160),)),
        "Linear()",
        Measures(
            same_kernel("Rows behind h", "{}", (2, 3, 5, 10, 20, 40, 80), 2),
            "Test error of level 1 over the rows behind h",
            "h is the mean of all distances: level 1 needs the Gram matrix of all rows ([K] 3.6). "
            "Each point takes h from eight draws of few rows.",
        ),
        (needs_labels,),
    ),
    Lab(
        "leak",
        "The leak",
        "How good can the best of many kernels look on labels that mean nothing?",
        "[C] section 6.5.3, Figure 6.3",
        "The labels are shuffled: no kernel can predict them. Drag how many kernels are tried on the same test rows: "
        "the error of the best one can only fall.",
        DataChoice("ida-german", (("n", 200),)),
        "RBF(sigma=3.0)",
        moving.leak,
        (needs_two, needs_vectors),
    ),
    Lab(
        "imbalance",
        "Imbalance",
        "Why do ROC scores stay where precision collapses?",
        "[O] section 4, ROC and RFP scores",
        "Two curves judge the same decisions of one machine. Drag how rare one class is: "
        "the left curve falls, the right one never moves.",
        DataChoice("ida-waveform", (("n", 300),)),
        "Standardized(RBF(sigma=3.0))",
        moving.imbalance,
        (needs_two,),
    ),
    Lab(
        "h",
        "Draw h",
        "Should a match on a rare category count more?",
        "[C] Definition 3; other h are its future work",
        "Each mark is a category, placed by its share P of the rows. Drag the orange points: "
        "they say how much two rows with that category have in common.",
        _PROMOTERS,
        "ProbabilityOverlap(alpha=1.0)",
        drawn.weights,
        (needs_classes, needs_categories),
        own_kernels=True,
    ),
    Lab(
        "rare",
        "g of k2",
        "Should two unequal rare categories be similar?",
        "[C] section 7.1: k2, whose g is left open",
        "k0 counts equal categories, k1 counts rare ones more, k2 also lets unequal rare ones count. "
        "Drag α: the smaller, the more only the rarest count.",
        _PROMOTERS,
        "GeneralOverlap(alpha=1.0)",
        Measures(
            same_kernel("Exponent α of h", "α = {}", (0.25, 0.5, 1.0, 2.0, 4.0, 8.0), 2),
            "Test error over the exponent",
            "Here g(p, q) = ½ h(p) h(q) (1 − |p − q|), at most half of a match. No Gram matrix becomes indefinite.",
        ),
        (needs_classes, needs_categories),
        own_kernels=True,
    ),
    Lab(
        "few-rows",
        "P from few rows",
        "How many rows do the probabilities in k1 need?",
        "[C] section 4.2",
        "k1 counts a match more where its category is rare: by its share P of the rows. "
        "Drag how many rows P comes from.",
        _PROMOTERS,
        "ProbabilityOverlap(alpha=1.0)",
        Measures(
            same_kernel("Rows behind P", "{}", (2, 3, 5, 8, 12, 20, 35), 2),
            "Test error over the rows behind P",
            "The machine always trains on all rows of the half; only P comes from fewer.",
        ),
        (needs_classes, needs_categories),
        own_kernels=True,
    ),
    Lab(
        "pixels",
        "Pixels in [−1, 1]",
        "Why should pixels lie in [−1, 1] where the diagonal ratio stays the same?",
        "[O] section 2, below equation 18",
        "The same digits have pixels from 0 to 1, or from −1 to 1, under a polynomial kernel. Drag its degree.",
        DataChoice("digits-3-8", (("n", 300),)),
        "Polynomial(degree=6, offset=0.0)",
        Measures(
            same_kernel("Degree", "{}", (1, 2, 3, 4, 5, 6, 7, 8), 5, log=False),
            "Test error over the degree",
            "A polynomial multiplies by the lengths of both rows. [−1, 1] makes lengths of black-and-white digits "
            "equal, normalising those of any table.",
        ),
        (needs_two, needs_vectors),
        own_kernels=True,
    ),
    Lab(
        "virtual",
        "Virtual support vectors",
        "What do shifted copies of support vectors add?",
        "Schölkopf, Burges, Vapnik 1996",
        "A machine trains on a few images, and again with shifted copies of those that define its border. "
        "Drag the number of images.",
        DataChoice("digits-3-8", (("n", 300),)),
        "Polynomial(degree=3, offset=1.0)",
        Measures(
            same_kernel("Training images", "{}", (10, 20, 40, 80, 150), 2),
            "Test error over the number of training images",
            "Each support vector is shifted by one pixel in four directions and added; "
            "then the machine is trained again.",
        ),
        (needs_classes, needs_vectors, needs(image_side)),
    ),
)
LABS = {lab.name: lab for lab in _ALL}
#: The labs of each shelf, by name: those that need no paper first.
SHELVES = {
    "First steps": ("likeness", "length", "capacity"),
    "Before you trust a result": ("leak", "criterion", "imbalance", "against", "selection", "few-rows", "bandwidth"),
    "From the theory": ("phi", "theorem", "transduction", "regulariser", "h", "rare", "pixels", "virtual"),
}
