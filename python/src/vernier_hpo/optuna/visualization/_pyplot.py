"""Draws charts with matplotlib."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Sequence, Union

from ._chart import (Axis, Bars, Chart, Field, Line, Panel, ParallelChart, Points, Scale,
                     Series, Spans)

_COLORS = {True: "Blues_r", False: "Blues"}  # Dark is good: small values or great ones.
_PANEL = 3.2  # Inches.
_LEVELS = 12  # Of a field.
_MOST_NAMED = 12  # The names of more would cover what is drawn.


def find_pyplot(what: str) -> Any:
    """matplotlib.pyplot. ImportError if matplotlib is not installed."""
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError(f"{what} needs matplotlib: pip install matplotlib") from error


def draw(chart: Union[Chart, ParallelChart]) -> Any:
    """The axes of a chart in a figure of its own: an array where there are several."""
    pyplot = find_pyplot("the plot")
    if isinstance(chart, ParallelChart):
        return _draw_parallel(pyplot, chart)
    rows = chart.rows or [[Panel(Axis(), Axis())]]
    is_grid, width = len(rows) > 1, len(rows[0])
    space = {"projection": "3d"} if rows[0][0].z is not None else {}
    figure, grid = pyplot.subplots(
        len(rows), width, squeeze=False, sharey=not is_grid, subplot_kw=space,
        figsize=None if width == 1 else (_PANEL * width, _PANEL * len(rows)))
    painter = _Painter([each for row in rows for panel in row for each in panel.series
                        if isinstance(each, Field)])
    for i, row in enumerate(rows):
        for j, panel in enumerate(row):
            painter.fill(grid[i][j], panel)
            if is_grid:
                _leave_inside_bare(grid[i][j], i == len(rows) - 1, j == 0)
    painter.explain(figure, grid)
    figure.suptitle(chart.title)
    if is_grid:
        return grid
    return grid[0] if width > 1 else grid[0][0]


def _leave_inside_bare(ax: Any, is_last: bool, is_first: bool) -> None:
    if not is_last:
        ax.set_xlabel("")
    if not is_first:
        ax.set_ylabel("")


class _Painter:
    """Fills axes, and knows what has to be explained of their colours."""

    def __init__(self, fields: Sequence[Field]) -> None:
        """`fields` are all that it will draw, which share their colours."""
        self._colored: Dict[Scale, Any] = {}
        values = [value for each in fields for row in each.rows for value in row]
        low, high = min(values, default=0.0), max(values, default=1.0)
        width = (high - low or 1.0) / _LEVELS
        self._levels = [low + i * width for i in range(_LEVELS + 1)]
        self._levels[-1] = max(high, self._levels[-1])  # Despite rounding.

    def fill(self, ax: Any, panel: Panel) -> None:
        """Draws what a panel has."""
        if panel.z is not None:
            ax.set_zlabel(panel.z.title)
        for axis, on, set_scale in ((panel.x, ax.xaxis, ax.set_xscale),
                                    (panel.y, ax.yaxis, ax.set_yscale)):
            on.set_label_text(axis.title)
            if axis.labels:
                on.set_ticks(range(len(axis.labels)), axis.labels)
            elif axis.is_log:
                set_scale("log")
        bars = [each for each in panel.series if isinstance(each, Bars)]
        for i, each in enumerate(bars):
            _bar(ax, each, i, len(bars))
        for series in panel.series:
            self._draw(ax, series)
        named = [each for each in panel.series if getattr(each, "name", "")]
        if 1 < len(named) <= _MOST_NAMED:
            ax.legend()

    def _draw(self, ax: Any, series: Series) -> None:
        if isinstance(series, Points):
            self._dot(ax, series)
        elif isinstance(series, Line):
            ax.plot(series.x, series.y, "o-" if series.has_dots else "-", markersize=3,
                    label=series.name)
            if series.low:
                ax.fill_between(series.x, series.low, series.high, color="tab:red", alpha=0.2)
        elif isinstance(series, Spans):
            ax.barh(series.y, [end - start for start, end in series.spans],
                    left=[start for start, _ in series.spans], color=series.color,
                    label=series.name)
            ax.tick_params(axis="x", rotation=30)
        elif isinstance(series, Field):
            self._colored[series.scale] = ax.contourf(
                series.x, series.y, series.rows, levels=self._levels,
                cmap=_COLORS[series.scale.is_small_dark])

    def _dot(self, ax: Any, series: Points) -> None:
        where = [series.x, series.y] + ([] if series.z is None else [series.z])
        about: Dict[str, Any] = {"s": 20, "zorder": 3, "label": series.name or None}
        if series.color is not None:
            about["c"] = series.color
        if series.scale is not None:
            about.update(cmap=_COLORS[series.scale.is_small_dark], edgecolor="grey",
                         linewidth=0.5)
        drawn = ax.scatter(*where, **about)
        if series.scale is not None:
            self._colored[series.scale] = drawn
        if series.spread:
            ax.errorbar(series.x, series.y, series.spread, fmt="none", capsize=3)

    def explain(self, figure: Any, grid: Any) -> None:
        """Adds a bar for each scale of colours."""
        for scale, drawn in self._colored.items():
            figure.colorbar(drawn, ax=grid, label=scale.title)


def _bar(ax: Any, series: Bars, number: int, count: int) -> None:
    height = 0.8 / count
    shift = (number - (count - 1) / 2) * height
    drawn = ax.barh([at + shift for at in range(len(series.lengths))], series.lengths,
                    height, label=series.name)
    ax.bar_label(drawn, fmt="%.2f", padding=2)


def _draw_parallel(pyplot: Any, chart: ParallelChart) -> Any:
    """Lines between parallel axes, each from 0 to 1, with what stands at their ends."""
    figure, ax = pyplot.subplots()
    ax.set_title(chart.title)
    if not chart.columns:
        return ax
    values = chart.columns[0].values
    colors = pyplot.cm.ScalarMappable(pyplot.Normalize(min(values), max(values)),
                                      _COLORS[chart.scale.is_small_dark])
    lines = []
    for at, column in enumerate(chart.columns):
        places = column.places()
        low, high = min(places), max(places)
        lines.append([0.5 if low == high else (each - low) / (high - low)
                      for each in places])
        ticks = column.ticks() or [(low, f"{low:.4g}"), (high, f"{high:.4g}")]
        for place, text in ticks:
            if low <= place <= high:
                share = 0.5 if low == high else (place - low) / (high - low)
                ax.annotate(text, (at, share), xytext=(3, 0), textcoords="offset points",
                            fontsize=7)
    for line, value in zip(zip(*lines), values):
        ax.plot(range(len(line)), line, color=colors.to_rgba(value), alpha=0.7)
    ax.set_xticks(range(len(chart.columns)), [each.axis.title for each in chart.columns],
                  rotation=30)
    ax.set_yticks([])
    figure.colorbar(colors, ax=ax, label=chart.scale.title)
    return ax
