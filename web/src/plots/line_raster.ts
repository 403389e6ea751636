// Draws very many thin lines into pixels. A canvas takes some microseconds for
// each line where there is no GPU; this takes a tenth of that. Pure.

/** '#rrggbb' or 'rgb(r,g,b)' as a pixel without alpha, little-endian as in ImageData. */
export function pixelColour(css: string): number {
  const hex = /^#([0-9a-f]{6})$/i.exec(css);
  if (hex) {
    const value = parseInt(hex[1]!, 16);
    return ((value & 255) << 16) | (value & 0xff00) | (value >> 16);
  }
  const [r, g, b] = (css.match(/\d+/g) ?? []).map(Number);
  return ((b ?? 0) << 16) | ((g ?? 0) << 8) | (r ?? 0);
}

/**
 * Pixels with lines in them. What is drawn first stays on top: a pixel at the
 * middle of a line is taken once and for all; the soft edge beside it gives way.
 */
export class LineRaster {
  readonly pixels: Uint32Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint32Array(width * height);
  }

  clear(): void {
    this.pixels.fill(0);
  }

  /** From left to right, x0 < x1, clipped at the borders. `colour`: see pixelColour; `alpha`: 1 to 255. */
  line(x0: number, y0: number, x1: number, y1: number, colour: number, alpha: number): void {
    const { pixels, width, height } = this;
    const full = ((alpha << 24) | colour) >>> 0;
    const soft = Math.max(1, alpha >> 1);
    const isSteep = Math.abs(y1 - y0) > x1 - x0;
    // Along the longer side; `across` goes on by `slope` with each pixel.
    const [from, to] = isSteep ? (y0 < y1 ? [y0, y1] : [y1, y0]) : [x0, x1];
    const start = isSteep ? (y0 < y1 ? x0 : x1) : y0;
    const slope = isSteep ? ((x1 - x0) / (y1 - y0)) : (y1 - y0) / (x1 - x0);
    const first = Math.max(0, Math.round(from));
    const last = Math.min((isSteep ? height : width) - 1, Math.round(to));
    const [alongStride, acrossStride] = isSteep ? [width, 1] : [1, width];
    const most = (isSteep ? width : height) - 1;
    let across = start + (first - from) * slope;
    for (let along = first; along <= last; ++along, across += slope) {
      const middle = Math.round(across);
      if (middle < 0 || middle > most) continue;
      const at = along * alongStride + middle * acrossStride;
      if (pixels[at]! >>> 24 < alpha) pixels[at] = full;
      // The neighbour on whose side the line passes, the stronger the nearer.
      const off = across - middle;
      const beside = off < 0 ? middle - 1 : middle + 1;
      if (beside < 0 || beside > most) continue;
      const edge = (soft * 2 * Math.abs(off)) | 0;
      const next = at + (off < 0 ? -acrossStride : acrossStride);
      if (edge > 0 && pixels[next] === 0) pixels[next] = ((edge << 24) | colour) >>> 0;
    }
  }
}
