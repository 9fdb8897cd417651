"""Which values of each kernel the contract is checked on; a class not named is checked as it is made.

`EXAMPLES[cls]` holds kernels; `base_for(cls)` is what a wrapper wraps when it is not named.
"""

from __future__ import annotations

from kernlib import (
    ANOVA,
    RBF,
    Constant,
    Deep,
    Empirical,
    GeneralOverlap,
    Kernel,
    LabelPairs,
    LabelSequences,
    LatentSemantic,
    Linear,
    LocalityImprovedImage,
    MetricPairs,
    Mismatch,
    Monomial,
    Normalized,
    Overlap,
    Polynomial,
    Power,
    Precomputed,
    ProbabilityOverlap,
    Product,
    Repaired,
    Scaled,
    Spectrum,
    SquareRoot,
    Subsequence,
    Sum,
    TensorPairs,
    VectorSpace,
)

EXAMPLES: dict[type[Kernel], list[Kernel]] = {
    Polynomial: [Polynomial(), Polynomial(degree=2, offset=0.0)],
    RBF: [RBF(), RBF(sigma="median")],
    ANOVA: [ANOVA(order=1), ANOVA(), ANOVA(order=3, sigma=0.5)],
    LocalityImprovedImage: [
        LocalityImprovedImage(shape=(3, 4), width=5, d1=2, d2=1),
        LocalityImprovedImage(shape=(3, 4)),
        LocalityImprovedImage(shape=(3, 4), width=3, d1=3, d2=1),
        LocalityImprovedImage(shape=(3, 4), d1=1),
        Normalized(LocalityImprovedImage(shape=(3, 4))),
    ],
    Overlap: [
        Overlap(),
        Overlap(composition="product"),
        Overlap(before="f1", gamma=0.5),
        Overlap(composition="product", before="f2", after="f1"),
        Deep(Overlap(after="f2")),
    ],
    ProbabilityOverlap: [
        ProbabilityOverlap(),
        ProbabilityOverlap(alpha=0.5, composition="product"),
        ProbabilityOverlap(alpha=1.5, before="f2", after="f2", gamma=2.0),
        ProbabilityOverlap(composition="product", before="f1"),
        Deep(ProbabilityOverlap(before="f1")),
    ],
    GeneralOverlap: [
        GeneralOverlap(),
        GeneralOverlap(alpha=0.3, composition="product"),
        GeneralOverlap(before="f1", after="f2"),
        GeneralOverlap(before="f2", composition="product"),
        GeneralOverlap(before="f2", gamma=4.0),
    ],
    LabelPairs: [LabelPairs(), LabelPairs(beta=0.2, series="geometric")],
    LabelSequences: [LabelSequences(), LabelSequences(beta=0.5, series="exponential")],
    VectorSpace: [VectorSpace(), VectorSpace(weighting="tf-idf", stop_words="english")],
    LatentSemantic: [LatentSemantic(), LatentSemantic(concepts=2), LatentSemantic(concepts=2, weighting="tf-idf")],
    TensorPairs: [TensorPairs(Precomputed()), TensorPairs(Linear(), shift=1.0), TensorPairs(RBF(sigma="median"))],
    MetricPairs: [MetricPairs(Linear()), MetricPairs(Repaired(Precomputed())), MetricPairs(Deep(Linear()))],
    SquareRoot: [SquareRoot(Linear()), SquareRoot(RBF(sigma="median"))],
    Repaired: [
        Repaired(Precomputed()),
        Repaired(Precomputed(), method="flip"),
        Repaired(Precomputed(), method="shift"),
        Repaired(Precomputed(), method="psi"),
        Repaired(Precomputed(), method="square"),
        Repaired(Power(RBF(sigma="median"), p=0.5)),
        Repaired(RBF(sigma="median"), method="square"),
        Repaired(Power(SquareRoot(Linear()), p=0.5), method="square"),
    ],
    Power: [Power(Linear(), p=0.5), Empirical(Power(Polynomial(degree=2), p=0.3))],
    Deep: [
        Deep(Linear()),
        Deep(RBF(sigma=2.0), level=3),
        Deep(Empirical(Linear()), level=2, bandwidths=(2.0, None)),
        Deep(Linear(), level=2, bandwidths=(1.0, 0.5)),
        Deep(Deep(Linear(), level=1), level=0),
    ],
    Constant: [Linear() + Constant(2.0)],
    Scaled: [Scaled(Deep(Linear()), factor=0.5)],
    Sum: [TensorPairs(Linear()) + MetricPairs(Linear()), Sum(Linear(), Normalized(RBF(sigma="median"))), Linear() + Linear() + 3],
    Product: [Product(RBF(), Empirical(Linear()))],
    Monomial: [Monomial(Linear(), exponent=3)],
    Subsequence: [Subsequence(), Subsequence(order=2, decay=1.0, weights=(0.5, 2.0))],
    Spectrum: [Spectrum(), Spectrum(length=1)],
    Mismatch: [Mismatch(length=2), Mismatch(length=3, mismatches=2, alphabet="ACGT")],
}


def base_for(cls: type[Kernel]) -> Kernel:
    return Linear()
