"""Pictures of studies: small SVG files on a light ground, in colours that differ for all kinds of colour vision."""

import io
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from palabre.study import Results
from studies.document import Document, estimates
from studies.study import Study

WIDTH = 7.2  # inches
LABEL = 42  # characters in a line of a label
MARKS = re.compile("[`*]")  # of Markdown, in names of figures
# Okabe and Ito's colours.
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#595959"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, GREY)
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "palabre",  # the same picture is the same file
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
}


def picture(study: Study, results: Results, document: Document) -> str | None:
    """The SVG of a study: its own plot, or the intervals of its claims; None if there is nothing to see."""
    plot = study.plot
    if plot is not None:
        return _svg(plot.height, lambda figure: plot.draw(figure, results))
    shown = estimates(document)
    return _svg(1.2 + 0.35 * len(shown), lambda figure: intervals(figure, shown)) if shown else None


def _svg(height: float, draw: Callable[[Any], None]) -> str:
    """What `draw` makes of a figure."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
        draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def intervals(figure: Any, figures: Sequence[Mapping[str, Any]]) -> None:
    """The 95 % interval of each number, one below the other, and the bound that it is compared with."""
    units = list(dict.fromkeys((one["unit"], one["bound"]) for one in figures))
    heights = [sum((one["unit"], one["bound"]) == unit for one in figures) + 0.6 for unit in units]
    parts = figure.subplots(len(units), 1, squeeze=False, height_ratios=heights)[:, 0]
    for (unit, bound), axes in zip(units, parts, strict=True):
        shown = [one for one in figures if (one["unit"], one["bound"]) == (unit, bound)]
        scale = 100 if unit == "%" else 1
        for place, one in enumerate(shown):
            value, low, high = (
                scale * (one["value"] if one[key] is None else one[key]) for key in ("value", "low", "high")
            )
            axes.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="o", color=BLUE, capsize=3)
        axes.axvline(scale * bound, color=ORANGE, linestyle="--")
        axes.set_yticks(range(len(shown)), [textwrap.fill(MARKS.sub("", one["what"]), LABEL) for one in shown])
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlabel(f"{unit or 'value'}, with 95 % intervals; dashed: what it is compared with")
