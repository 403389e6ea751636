// A part of a log as lines that can be shown: without the codes of terminals,
// with carriage returns done, growing at both ends. Pure.

const kTab = 8;
/** Longer lines are cut where they are shown. */
export const kLongestLine = 10_000;

// eslint-disable-next-line no-control-regex
const kEscapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
// eslint-disable-next-line no-control-regex
const kControls = /[\x00-\x08\x0b-\x1f\x7f]/g;

function plain(text: string): string {
  let out = text.replace(kEscapes, '').replace(kControls, '');
  for (let at = out.indexOf('\t'); at >= 0; at = out.indexOf('\t', at)) {
    out = out.slice(0, at) + ' '.repeat(kTab - (at % kTab)) + out.slice(at + 1);
  }
  return out;
}

/** What a terminal would show of a line: a carriage return goes back to its start, and what follows is written over it. */
export function cleanLine(raw: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\x00-\x1f\x7f]/.test(raw)) return raw;
  let shown = '';
  for (const part of raw.replace(/\r+$/, '').split('\r')) {
    const text = plain(part);
    // eslint-disable-next-line no-control-regex
    shown = /\x1b\[[02]?K/.test(part) ? text : text + shown.slice(text.length);
  }
  return shown;
}

/** Lines of the bytes from `first` to `next`. The last line may be unfinished. */
export class LogText {
  lines: string[] = [];
  first = 0;
  next = 0;
  private head = '';
  private tail = '';

  /** `offset`: where `text` begins; bytes that the service has dropped are said to be missing. */
  append(text: string, offset: number, next: number): void {
    if (this.next === 0 && this.lines.length === 0) this.first = offset;
    else if (offset > this.next) this.gap(offset - this.next);
    this.next = next;
    if (!text) return;
    const pieces = (this.tail + text).split('\n');
    if (this.tail) this.lines.pop();
    if (this.lines.length === 0) this.head = pieces[0]!;
    const tail = pieces.pop()!;
    for (const piece of pieces) this.lines.push(cleanLine(piece));
    // A progress bar without an end of line would else grow for ever.
    const at = tail.lastIndexOf('\r', tail.length - 2);
    this.tail = at > 4096 ? cleanLine(tail.slice(0, at)) + tail.slice(at) : tail;
    if (tail) this.lines.push(cleanLine(tail));
  }

  /** `text` begins at `offset` and ends where the first line begins. */
  prepend(text: string, offset: number): void {
    this.first = offset;
    if (!text) return;
    const isOnlyTail = this.lines.length === 1 && this.tail !== '';
    const pieces = (text + this.head).split('\n');
    if (this.lines.length === 0 && pieces[pieces.length - 1] === '') pieces.pop();
    this.head = pieces[0]!;
    if (isOnlyTail) this.tail = pieces[pieces.length - 1]!;
    this.lines = pieces.map(cleanLine).concat(this.lines.slice(1));
  }

  private gap(bytes: number): void {
    this.tail = '';
    this.lines.push(`[${bytes} bytes are missing here: the log was longer than its limit]`);
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds `text` wherever it is, in upper or lower case. */
export function searchPattern(text: string): RegExp {
  return new RegExp(escaped(text), 'gi');
}

/** The lines that have the text. */
export function findLines(lines: readonly string[], text: string): Int32Array {
  if (!text) return new Int32Array(0);
  const pattern = new RegExp(escaped(text), 'i');
  const found: number[] = [];
  for (let i = 0; i < lines.length; ++i) if (pattern.test(lines[i]!)) found.push(i);
  return Int32Array.from(found);
}

/** How many rows of `columns` characters a line takes. Characters of East Asia and pictures take two. */
export function rowsOf(line: string, columns: number): number {
  if (line.length * 2 <= columns) return 1;
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\u10ff]*$/.test(line)) return Math.max(1, Math.ceil(Math.min(line.length, kLongestLine) / columns));
  let rows = 1;
  let used = 0;
  for (const character of line) {
    const width = character.codePointAt(0)! >= 0x1100 ? 2 : 1;
    if (used + width > columns) {
      ++rows;
      used = 0;
    }
    used += width;
  }
  return rows;
}

/** Where each line begins, in rows, and the number of all rows at the end. */
export function rowStarts(lines: readonly string[], columns: number): Int32Array {
  const starts = new Int32Array(lines.length + 1);
  for (let i = 0; i < lines.length; ++i) starts[i + 1] = starts[i]! + (columns > 0 ? rowsOf(lines[i]!, columns) : 1);
  return starts;
}

/** The last index whose start is at most `row`. */
export function lineAt(starts: Int32Array, row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= row) low = middle;
    else high = middle;
  }
  return low;
}
