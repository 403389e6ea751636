// Draws many segments in pieces, a frame's worth each, so that the page answers
// meanwhile. Better ones come first and stay on top.
import { LineRaster, pixelColour } from './line_raster';
import { mergeSegments } from './parallel_layout';

export interface LineJob {
  canvas: HTMLCanvasElement;
  width: number;
  height: number;
  /** Of the axes, from the left. */
  places: readonly number[];
  /** Of each axis: the cell of each row; see axisCells. */
  cells: readonly Uint8Array[];
  /** The place of each cell. */
  cellPlace: (cell: number) => number;
  /** 0 leaves a row out, 255 is the best. */
  ranks: Uint8Array;
  /** The colour of a rank. */
  colour: (rank: number) => string;
  alpha: number;
}

const kLevels = 24;
/** Milliseconds that a piece may take, so that a frame does not take much more. */
const kPiece = 20;
const kBetweenClocks = 256;

/** One job at a time; a new one replaces what is left of the one before. */
export class LinePainter {
  private readonly best = new Uint8Array(65536);
  private image: ImageData | null = null;
  private raster: LineRaster | null = null;
  private run = 0;

  cancel(): void {
    ++this.run;
  }

  private prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const g = canvas.getContext('2d')!;
    if (this.raster?.width !== width || this.raster.height !== height) {
      this.raster = new LineRaster(width, height);
      this.image = new ImageData(new Uint8ClampedArray(this.raster.pixels.buffer as ArrayBuffer), width, height);
    }
    this.raster.clear();
    return g;
  }

  /** `whenDone` is called once all is drawn, unless another job came. */
  paint(job: LineJob, whenDone?: () => void): void {
    const run = ++this.run;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const g = this.prepare(job.canvas, Math.max(1, Math.round(job.width * ratio)), Math.max(1, Math.round(job.height * ratio)));
    const raster = this.raster!;
    const alpha = Math.round(255 * job.alpha);
    const places = job.places.map((place) => place * ratio);
    const rows = Float64Array.from({ length: 256 }, (_, cell) => job.cellPlace(cell) * ratio);
    const gaps = job.places.slice(1).map((_, i) => mergeSegments(job.cells[i]!, job.cells[i + 1]!, job.ranks, this.best));

    let level = 0;
    let gap = 0;
    let at = -1;
    /** Draws until the time is over; true if something is left. */
    const next = (end: number): boolean => {
      let untilClock = kBetweenClocks;
      for (; level < kLevels; ++level, gap = 0) {
        // Ranks of a level: ends[] counts from the best, at 0, to the worst.
        const from = Math.floor((level * 256) / kLevels);
        const to = Math.floor(((level + 1) * 256) / kLevels);
        const colour = pixelColour(job.colour(Math.max(1, 255 - Math.round((from + to) / 2))));
        for (; gap < gaps.length; ++gap, at = -1) {
          const { pairs, ends } = gaps[gap]!;
          const last = ends[to]!;
          if (at < 0) at = ends[from]!;
          const [x0, x1] = [places[gap]!, places[gap + 1]!];
          for (; at < last; ++at) {
            const pair = pairs[at]!;
            raster.line(x0, rows[pair >> 8]!, x1, rows[pair & 255]!, colour, alpha);
            if (--untilClock > 0) continue;
            if (performance.now() > end) {
              ++at;
              return true;
            }
            untilClock = kBetweenClocks;
          }
        }
      }
      return false;
    };
    const step = () => {
      if (run !== this.run) return;
      const isLeft = next(performance.now() + kPiece);
      g.putImageData(this.image!, 0, 0);
      if (isLeft) requestAnimationFrame(step);
      else whenDone?.();
    };
    step();
  }
}
