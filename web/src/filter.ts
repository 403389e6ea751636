// The filter that holds for every view of a study: brushes, which the page
// evaluates itself, and a text in the command line's language, which the service does.
//
// A brush belongs to a column of the trials (`value`, `state`, `p:lr`, ...) and
// is a range of numbers or a set of labels. In the address they are one text:
//   b = value=..0.3;p:lr=0.001..0.01;p:opt=~adam|sgd

export type Brush = { kind: 'range'; low: number; high: number } | { kind: 'set'; labels: readonly string[] };
export type Brushes = ReadonlyMap<string, Brush>;

const escapeText = (text: string) => text.replace(/[%;=|]/g, (c) => '%' + c.charCodeAt(0).toString(16).padStart(2, '0'));
const unescapeText = (text: string) => text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const bound = (value: number) => (Number.isFinite(value) ? String(Number(value.toPrecision(8))) : '');

export function formatBrushes(brushes: Brushes): string {
  const parts: string[] = [];
  for (const [column, brush] of brushes) {
    parts.push(
      escapeText(column) +
        '=' +
        (brush.kind === 'range'
          ? `${bound(brush.low)}..${bound(brush.high)}`
          : '~' + brush.labels.map(escapeText).join('|')),
    );
  }
  return parts.join(';');
}

/** What cannot be read is left out. */
export function parseBrushes(text: string): Map<string, Brush> {
  const brushes = new Map<string, Brush>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const column = unescapeText(part.slice(0, at));
    const value = part.slice(at + 1);
    if (value.startsWith('~')) {
      const labels = value.slice(1).split('|').filter(Boolean).map(unescapeText);
      if (labels.length) brushes.set(column, { kind: 'set', labels });
      continue;
    }
    const ends = value.split('..');
    if (ends.length !== 2) continue;
    const low = ends[0] === '' ? -Infinity : Number(ends[0]);
    const high = ends[1] === '' ? Infinity : Number(ends[1]);
    if (!Number.isNaN(low) && !Number.isNaN(high) && low <= high) brushes.set(column, { kind: 'range', low, high });
  }
  return brushes;
}

/** What a mask is computed from; a study's trial table is one. */
export interface Rows {
  readonly rows: number;
  /** NaN where a row has no value; undefined if there is no such column. */
  numbers(column: string): ArrayLike<number> | undefined;
  /** Texts of a column that holds indexes. */
  labels(column: string): readonly string[] | undefined;
}

export interface Mask {
  /** 1 for each selected row; null if all are. */
  readonly bits: Uint8Array | null;
  readonly count: number;
}

/** `ids`: the trials that the service's filter selects, or null. O(rows x brushes). */
export function computeMask(table: Rows, brushes: Brushes, ids: ReadonlySet<number> | null): Mask {
  const n = table.rows;
  if (brushes.size === 0 && !ids) return { bits: null, count: n };
  const bits = new Uint8Array(n).fill(1);
  for (const [column, brush] of brushes) {
    const values = table.numbers(column);
    if (!values) continue; // A brush of another study's parameter.
    if (brush.kind === 'range') {
      const { low, high } = brush;
      for (let i = 0; i < n; ++i) {
        const value = values[i]!;
        if (!(value >= low && value <= high)) bits[i] = 0; // NaN is not selected.
      }
    } else {
      const labels = table.labels(column);
      if (!labels) continue;
      const wanted = new Uint8Array(labels.length);
      labels.forEach((label, index) => {
        if (brush.labels.includes(label)) wanted[index] = 1;
      });
      for (let i = 0; i < n; ++i) if (!wanted[values[i]!]) bits[i] = 0;
    }
  }
  if (ids) {
    const id = table.numbers('id')!;
    for (let i = 0; i < n; ++i) if (bits[i] && !ids.has(id[i]!)) bits[i] = 0;
  }
  let count = 0;
  for (let i = 0; i < n; ++i) count += bits[i]!;
  return { bits, count };
}

const kKeys: Record<string, string> = { id: 'trial', value: 'objective', step: 'step', state: 'state', cause: 'cause' };

/** The key of a column in the command line's language, or '' if it has none. */
export function cliKey(column: string): string {
  if (!column.startsWith('p:')) return kKeys[column] ?? '';
  const name = column.slice(2);
  return Object.values(kKeys).includes(name) ? 'parameters.' + name : name;
}

const quoted = (text: string) => (/^[\w.+-]+$/.test(text) ? text : JSON.stringify(text));

/** The whole filter in the command line's language. */
export function cliFilter(brushes: Brushes, text: string): string {
  const terms: string[] = [];
  if (text) terms.push(brushes.size && /\bOR\b/.test(text) ? `(${text})` : text);
  for (const [column, brush] of brushes) {
    const key = cliKey(column);
    if (!key) continue;
    if (brush.kind === 'range') {
      if (Number.isFinite(brush.low)) terms.push(`${key}>=${bound(brush.low)}`);
      if (Number.isFinite(brush.high)) terms.push(`${key}<=${bound(brush.high)}`);
    } else {
      const any = brush.labels.map((label) => `${key}=${quoted(label)}`).join(' OR ');
      terms.push(brush.labels.length > 1 ? `(${any})` : any);
    }
  }
  return terms.join(' AND ');
}
