"""Draws charts with plotly."""

from __future__ import annotations

import datetime
import importlib
from typing import Any, Dict, List, Optional, Sequence, Union

from ._chart import (Axis, Bars, Chart, Column, Line, Panel, ParallelChart, Points, Scale,
                     Series, Spans)

# Dark is good: small values or great ones.
_COLORS = {True: "Blues_r", False: "Blues"}
_LONGEST_LABEL = 20


def find_plotly(what: str) -> Any:
    """The module of figures. ImportError if plotly is not installed."""
    try:
        return importlib.import_module("plotly.graph_objects")
    except ImportError as error:
        raise ImportError(
            f"{what} needs plotly: pip install plotly. The functions of "
            f"optuna.visualization.matplotlib need matplotlib instead") from error


def draw(chart: Union[Chart, ParallelChart]) -> Any:
    """The figure of a chart."""
    go = find_plotly("the plot")
    if isinstance(chart, ParallelChart):
        return _draw_parallel(go, chart)
    width = max((len(row) for row in chart.rows), default=1)
    if len(chart.rows) * width <= 1:
        figure = go.Figure()
    else:
        figure = importlib.import_module("plotly.subplots").make_subplots(
            rows=len(chart.rows), cols=width, shared_yaxes=len(chart.rows) == 1)
    is_grid = len(chart.rows) > 1
    for i, row in enumerate(chart.rows):
        for j, panel in enumerate(row):
            place = {"row": i + 1, "col": j + 1} if len(chart.rows) * width > 1 else {}
            for series in panel.series:
                for trace in _traces(go, series):
                    figure.add_trace(trace, **place)
                _explain(figure, getattr(series, "scale", None))
            _dress(figure, panel, place, is_grid, (i == len(chart.rows) - 1, j == 0))
    figure.update_layout(title=chart.title)
    return figure


def _dress(figure: Any, panel: Panel, place: Dict[str, int], is_grid: bool,
           is_outer: Sequence[bool]) -> None:
    """Has the axes say what they are; those inside of a grid have no titles."""
    if panel.z is not None:
        figure.update_layout(scene={f"{name}axis_title": axis.title for name, axis in zip(
            "xyz", (panel.x, panel.y, panel.z))})
        return
    for axis, update, shows in ((panel.x, figure.update_xaxes, is_outer[0]),
                                (panel.y, figure.update_yaxes, is_outer[1])):
        update(title_text=axis.title if shows or not is_grid else None,
               **_form_of(axis), **place)
    if any(isinstance(each, Spans) for each in panel.series):
        figure.update_xaxes(type="date", **place)
        figure.update_layout(barmode="overlay")


def _form_of(axis: Axis) -> Dict[str, Any]:
    if axis.labels:
        return {"tickmode": "array", "tickvals": list(range(len(axis.labels))),
                "ticktext": list(axis.labels)}
    return {"type": "log"} if axis.is_log else {}


def _explain(figure: Any, scale: Optional[Scale]) -> None:
    """Adds the bar of colours, which all panels share."""
    if scale is not None:
        figure.update_layout(coloraxis={"colorscale": _COLORS[scale.is_small_dark],
                                        "colorbar": {"title": {"text": scale.title}}})


def _traces(go: Any, series: Series) -> List[Any]:
    if isinstance(series, Points):
        return [_points(go, series)]
    if isinstance(series, Line):
        return _line(go, series)
    if isinstance(series, Bars):
        return [go.Bar(x=list(series.lengths), y=list(range(len(series.lengths))),
                       orientation="h", name=series.name,
                       text=[f"{each:.2f}" for each in series.lengths],
                       textposition="outside", cliponaxis=False)]
    if isinstance(series, Spans):
        return [_spans(go, series)]
    return [go.Contour(x=list(series.x), y=list(series.y), coloraxis="coloraxis",
                       z=[list(row) for row in series.rows], line_smoothing=1.3,
                       contours_coloring="heatmap")]


def _points(go: Any, series: Points) -> Any:
    marker: Dict[str, Any] = {"line": {"width": 0.5, "color": "grey"}}
    if series.color is not None:
        marker["color"] = (series.color if isinstance(series.color, str)
                           else list(series.color))
    if series.scale is not None:
        marker["coloraxis"] = "coloraxis"
    about: Dict[str, Any] = {"mode": "markers", "name": series.name, "marker": marker,
                             "showlegend": bool(series.name)}
    if series.texts:
        about.update(text=list(series.texts), hovertemplate="%{text}<extra></extra>")
    if series.z is not None:
        return go.Scatter3d(x=list(series.x), y=list(series.y), z=list(series.z), **about)
    if series.spread:
        about["error_y"] = {"type": "data", "array": list(series.spread), "visible": True}
    return go.Scatter(x=list(series.x), y=list(series.y), **about)


def _line(go: Any, series: Line) -> List[Any]:
    traces = [go.Scatter(x=list(series.x), y=list(series.y), name=series.name,
                         mode="lines+markers" if series.has_dots else "lines")]
    if series.low:
        traces.append(go.Scatter(
            x=[*series.x, *series.x[::-1]], y=[*series.high, *series.low[::-1]],
            fill="toself", mode="none", fillcolor="rgba(255,0,0,0.2)", showlegend=False,
            hoverinfo="skip"))
    return traces


def _spans(go: Any, series: Spans) -> Any:
    milliseconds = datetime.timedelta(milliseconds=1)
    return go.Bar(
        y=list(series.y), orientation="h", name=series.name, marker={"color": series.color},
        base=[start.isoformat() for start, _ in series.spans],
        x=[(end - start) / milliseconds for start, end in series.spans],
        text=list(series.texts), textposition="none",
        hovertemplate="%{text}<extra></extra>")


def _draw_parallel(go: Any, chart: ParallelChart) -> Any:
    figure = go.Figure()
    figure.update_layout(title=chart.title)
    if chart.columns:
        figure.add_trace(go.Parcoords(
            dimensions=[_dimension(each) for each in chart.columns],
            line={"color": list(chart.columns[0].values), "coloraxis": "coloraxis"}))
        _explain(figure, chart.scale)
    return figure


def _dimension(column: Column) -> Dict[str, Any]:
    places = column.places()
    title = column.axis.title
    found: Dict[str, Any] = {
        "label": title if len(title) <= _LONGEST_LABEL else title[:_LONGEST_LABEL - 3] + "...",
        "values": places, "range": (min(places), max(places))}
    ticks = column.ticks()
    if ticks:
        found.update(tickvals=[at for at, _ in ticks], ticktext=[text for _, text in ticks])
    return found
