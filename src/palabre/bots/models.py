"""Models of scikit-learn, behind one face: fitted to rows of numbers and their classes, they give each class a chance.

Each is in the form in which a textbook would begin. Nothing is tuned to any data; the numbers below keep a model from
learning a few hundred rows by heart. All see columns of mean 0 and deviation 1.
"""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import sklearn
import sklearn.exceptions
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

Rows = NDArray[np.float64]

SUPPORT_ROWS = 5000  # the time of support vectors grows with the square of the rows: of more, so many are drawn
NET_SAMPLES = 150_000  # rows that the net sees, each many times if there are few
FEWEST_ROUNDS, MOST_ROUNDS = 10, 300  # times that it sees each


def _classifier(name: str, seed: int, rows: int) -> Any:
    """A model that has learnt nothing yet, for so many rows."""
    if name == "neighbours":
        return KNeighborsClassifier(15, weights="distance", algorithm="kd_tree")
    if name == "bayes":
        return GaussianNB(var_smoothing=0.1)
    if name == "discriminant":
        return LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    if name == "logistic":
        return LogisticRegression(C=0.1, max_iter=1000)
    if name == "vectors":
        return SVC(random_state=seed)
    if name == "forest":
        return RandomForestClassifier(100, min_samples_leaf=2, random_state=seed)
    assert name == "net", name
    rounds = min(MOST_ROUNDS, max(FEWEST_ROUNDS, NET_SAMPLES // rows))
    # It stops after its rounds, or as soon as a round no longer helps.
    return MLPClassifier((64, 32), alpha=1.0 if rows < 2000 else 0.01, max_iter=rounds, random_state=seed)


class Model:
    """A model that has learnt."""

    def __init__(self, name: str, rows: Sequence[Sequence[float]], classes: Sequence[int], seed: int = 0) -> None:
        """Fit the model of this name to rows of numbers, each with its class."""
        numbers: Rows = np.array(rows, dtype=float)
        targets = np.array(classes)
        if name == "vectors" and len(targets) > SUPPORT_ROWS:
            drawn = np.random.default_rng(seed).choice(len(targets), SUPPORT_ROWS, replace=False)
            numbers, targets = numbers[drawn], targets[drawn]
        self._mean = numbers.mean(axis=0)
        deviation = numbers.std(axis=0)
        self._scale = np.where(deviation > 0, deviation, 1.0)
        self.classes = sorted(set(targets.tolist()))
        self._name = name
        self._fitted: Any = None
        if len(self.classes) > 1:  # or there is nothing to learn
            self._fitted = _fit(_classifier(name, seed, len(targets)), (numbers - self._mean) / self._scale, targets)

    def chances(self, rows: Sequence[Sequence[float]]) -> Rows:
        """For each row a number for each of `classes`: its chance, or for support vectors how far it is inside."""
        numbers: Rows = (np.array(rows, dtype=float) - self._mean) / self._scale
        if self._fitted is None:
            return np.ones((len(numbers), 1))
        if self._name == "vectors":
            inside: Rows = self._fitted.decision_function(numbers)
            return np.stack([-inside, inside], axis=1) if inside.ndim == 1 else inside
        if self._name == "forest":
            # As `predict_proba` does, which takes ten times as long to ask all trees for a few rows.
            trees = [tree.tree_.predict(numbers.astype(np.float32)) for tree in self._fitted.estimators_]
            return np.asarray(np.mean(trees, axis=0))
        return np.asarray(self._fitted.predict_proba(numbers))

    def as_chance(self, number: float) -> float:
        """One of `chances` between 0 and 1, also for support vectors; a higher one stays higher."""
        return 1 / (1 + math.exp(-number)) if self._name == "vectors" else number


def _fit(classifier: Any, numbers: Rows, targets: NDArray[Any]) -> Any:
    with warnings.catch_warnings(), sklearn.config_context(assume_finite=True):
        warnings.simplefilter("ignore", sklearn.exceptions.ConvergenceWarning)  # the net has a number of rounds
        return classifier.fit(numbers, targets)
