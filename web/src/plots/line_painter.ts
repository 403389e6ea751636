// Draws many segments in pieces, a frame's worth each, so that the page answers
// meanwhile. Better ones come first and stay on top.
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
const kFirstPiece = 60_000;
const kFrame = 30; // Milliseconds that a piece may take until it is on the screen.

/** One job at a time; a new one replaces what is left of the one before. */
export class LinePainter {
  private readonly best = new Uint8Array(65536);
  private run = 0;
  private piece = kFirstPiece;

  cancel(): void {
    ++this.run;
  }

  /** `whenDone` is called once all is drawn, unless another job came. */
  paint(job: LineJob, whenDone?: () => void): void {
    const run = ++this.run;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const { canvas } = job;
    const [w, h] = [Math.round(job.width * ratio), Math.round(job.height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    const g = canvas.getContext('2d')!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, job.width, job.height);
    g.globalCompositeOperation = 'destination-over';
    g.globalAlpha = job.alpha;
    g.lineWidth = 1 / ratio; // As thin as the screen can: the browser draws that fast.
    const gaps = job.places.slice(1).map((_, i) => mergeSegments(job.cells[i]!, job.cells[i + 1]!, job.ranks, this.best));

    let level = 0;
    let gap = 0;
    const next = (): boolean => {
      let left = this.piece;
      while (level < kLevels) {
        // Ranks of a level: ends[] counts from the best, at 0, to the worst.
        const from = Math.floor((level * 256) / kLevels);
        const to = Math.floor(((level + 1) * 256) / kLevels);
        g.strokeStyle = job.colour(Math.max(1, 255 - Math.round((from + to) / 2)));
        for (; gap < gaps.length; ++gap) {
          const { pairs, ends } = gaps[gap]!;
          const [start, end] = [ends[from]!, ends[to]!];
          if (start === end) continue;
          const [x0, x1] = [job.places[gap]!, job.places[gap + 1]!];
          g.beginPath();
          for (let i = start; i < end; ++i) {
            const pair = pairs[i]!;
            g.moveTo(x0, job.cellPlace(pair >> 8));
            g.lineTo(x1, job.cellPlace(pair & 255));
          }
          g.stroke();
          left -= end - start;
          if (left <= 0) {
            ++gap;
            return true;
          }
        }
        gap = 0;
        ++level;
      }
      return false;
    };
    const step = () => {
      if (run !== this.run) return;
      const begin = performance.now();
      if (!next()) {
        whenDone?.();
        return;
      }
      requestAnimationFrame(() => {
        // The time until the frame is there tells how much a piece may be.
        const took = performance.now() - begin;
        if (took > 2 * kFrame) this.piece = Math.max(4000, this.piece / 2);
        else if (took < kFrame) this.piece = Math.min(200_000, this.piece * 1.5);
        step();
      });
    };
    step();
  }
}
