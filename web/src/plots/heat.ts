// Fills an area by what a grid holds, in bands of equal values.
import type { Frame } from './axes';
import type { Layout } from './points_plot';
import type { Scale } from './scale';

export interface Grid {
  x: readonly number[];
  y: readonly number[];
  /** Entry j * x.length + i is of x[i] and y[j]. */
  values: readonly number[];
}

/** Where a pixel lies among the places of the grid, e.g. 2.5 in the middle of entries 2 and 3; at the ends, the end. Pure. */
export function gridPlaces(grid: readonly number[], scale: Scale, pixels: readonly number[]): Float64Array {
  const places = grid.map((value) => scale.place(value));
  const isUp = places.length < 2 || places[1]! > places[0]!;
  return Float64Array.from(pixels, (pixel) => {
    if (scale.kind === 'category') return Math.max(0, Math.min(grid.length - 1, Math.round(scale.value(pixel))));
    let i = 0;
    while (i + 2 < places.length && (isUp ? places[i + 1]! < pixel : places[i + 1]! > pixel)) ++i;
    if (places.length < 2) return 0;
    return i + Math.max(0, Math.min(1, (pixel - places[i]!) / (places[i + 1]! - places[i]!)));
  });
}

/** The value at fractional places of a grid. Pure. */
export function valueAt({ x, values, y }: Grid, u: number, v: number): number {
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [fu, fv] = [u - i, v - j];
  const at = (a: number, b: number) => values[Math.min(y.length - 1, b) * x.length + Math.min(x.length - 1, a)]!;
  return (at(i, j) * (1 - fu) + at(i + 1, j) * fu) * (1 - fv) + (at(i, j + 1) * (1 - fu) + at(i + 1, j + 1) * fu) * fv;
}

/** `colours`: from the lowest band to the highest. */
export function drawHeat({ g }: Frame, { area, x, y }: Layout, grid: Grid, range: readonly [number, number], colours: readonly string[]): void {
  const width = Math.ceil(area.right - area.left);
  const height = Math.ceil(area.bottom - area.top);
  const us = gridPlaces(grid.x, x, Array.from({ length: width }, (_, i) => area.left + i + 0.5));
  const vs = gridPlaces(grid.y, y, Array.from({ length: height }, (_, j) => area.top + j + 0.5));
  const factor = colours.length / (range[1] - range[0] || 1);
  const band = (i: number, j: number) =>
    Math.max(0, Math.min(colours.length - 1, Math.floor((valueAt(grid, us[i]!, vs[j]!) - range[0]) * factor)));
  // Runs of one colour, so that a file of the plot stays small. Bands of
  // categories are as high as they are wide: a row like the one above joins it.
  for (let j = 0; j < height; ) {
    let rows = 1;
    while (j + rows < height && vs[j + rows] === vs[j]) ++rows;
    let start = 0;
    let colour = band(0, j);
    for (let i = 1; i <= width; ++i) {
      const next = i < width ? band(i, j) : -1;
      if (next === colour) continue;
      g.fillStyle = colours[colour]!;
      // A little overlap hides the seams on screens with fractional pixels.
      g.fillRect(area.left + start, area.top + j, i - start + (i < width ? 0.5 : 0), rows + (j + rows < height ? 0.5 : 0));
      start = i;
      colour = next;
    }
    j += rows;
  }
}

/** The colours with their values, right of the area. */
export function drawLegend({ g, palette, width }: Frame, { area }: Layout, scale: Scale, colours: readonly string[]): void {
  const left = area.right + 14;
  const step = (area.bottom - area.top) / colours.length;
  colours.forEach((colour, i) => {
    g.fillStyle = colour;
    g.fillRect(left, area.bottom - (i + 1) * step, 10, step + (i > 0 ? 0.5 : 0));
  });
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  g.fillStyle = palette.muted;
  for (const { value, text } of scale.ticks()) {
    const y = scale.place(value);
    if (text && y >= area.top - 1 && y <= area.bottom + 1 && left + 14 < width) g.fillText(text, left + 15, y);
  }
}
