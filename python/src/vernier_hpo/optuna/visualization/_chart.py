"""What a plot shows, whichever library draws it."""

from __future__ import annotations

import dataclasses
import datetime
import math
from typing import List, Optional, Sequence, Tuple, Union


@dataclasses.dataclass(frozen=True)
class Axis:
    """One direction of a panel."""

    title: str = ""
    is_log: bool = False
    labels: Sequence[str] = ()  # Of the positions 0, 1, ...; none: numbers.


@dataclasses.dataclass(frozen=True)
class Scale:
    """The colours of points: of which quantity, and whether small values are the good
    ones, which are dark."""

    title: str
    is_small_dark: bool = False


@dataclasses.dataclass(frozen=True)
class Points:
    """Dots; with `z` in space."""

    x: Sequence[float]
    y: Sequence[float]
    name: str = ""
    z: Optional[Sequence[float]] = None
    color: Union[None, str, Sequence[float]] = None  # For all, or a number for each.
    scale: Optional[Scale] = None  # What the numbers are.
    texts: Sequence[str] = ()
    spread: Sequence[float] = ()  # Half the length of an error bar.


@dataclasses.dataclass(frozen=True)
class Line:
    """Positions that belong together; `low` and `high` bound a band around them."""

    x: Sequence[float]
    y: Sequence[float]
    name: str = ""
    has_dots: bool = False
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclasses.dataclass(frozen=True)
class Bars:
    """Horizontal bars at the positions 0, 1, ... of the vertical axis."""

    lengths: Sequence[float]
    name: str = ""


@dataclasses.dataclass(frozen=True)
class Spans:
    """Stretches of time, each at a position of the vertical axis."""

    y: Sequence[int]
    spans: Sequence[Tuple[datetime.datetime, datetime.datetime]]
    name: str = ""
    color: Optional[str] = None
    texts: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class Field:
    """A quantity over the panel: `rows[j][i]` at `x[i]` and `y[j]`, both ascending."""

    x: Sequence[float]
    y: Sequence[float]
    rows: Sequence[Sequence[float]]
    scale: Scale


Series = Union[Points, Line, Bars, Spans, Field]


@dataclasses.dataclass(frozen=True)
class Panel:
    """One pair of axes with what is drawn in it. A panel without series is empty."""

    x: Axis
    y: Axis
    series: Sequence[Series] = ()
    z: Optional[Axis] = None


@dataclasses.dataclass(frozen=True)
class Chart:
    """Panels in rows of equal length."""

    title: str
    rows: List[List[Panel]]


@dataclasses.dataclass(frozen=True)
class Column:
    """One axis of a chart of parallel axes, with a value for each line."""

    axis: Axis
    values: Sequence[float]

    def places(self) -> List[float]:
        """The values on a linear scale: logarithms where the axis is logarithmic."""
        return [math.log10(each) if self.axis.is_log else each for each in self.values]

    def ticks(self) -> List[Tuple[float, str]]:
        """What stands at which place; none where the numbers themselves do."""
        if self.axis.labels:
            return list(enumerate(self.axis.labels))
        if not self.axis.is_log:
            return []
        places = self.places()
        low, high = min(places), max(places)
        decades = range(math.ceil(low), math.floor(high) + 1)
        ends = {low: f"{10 ** low:.3g}", high: f"{10 ** high:.3g}"}
        return sorted({**ends, **{float(at): f"{10.0 ** at:.3g}" for at in decades}}.items())


@dataclasses.dataclass(frozen=True)
class ParallelChart:
    """Lines through parallel axes, coloured by the values of the first one."""

    title: str
    columns: List[Column]
    scale: Scale
