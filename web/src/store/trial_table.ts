// The trials of a study as growing typed arrays, merged by id from the service's deltas.
import { makeColumn, type ColumnData, type Columns, type ColumnType } from '../columns';
import type { Rows } from '../filter';
import type { Goal, Parameter } from '../types';

interface Column {
  type: ColumnType;
  data: ColumnData;
}

/** Columns that hold indexes into a dictionary of the header. */
const kDictionaryColumns = ['state', 'cause', 'method'];
const kMinCapacity = 256;

/** Not thread-safe. Rows are in the order in which they first came, which is by id. */
export class TrialTable implements Rows {
  rows = 0;
  sequence = 0;
  private capacity = 0;
  private readonly columns = new Map<string, Column>();
  private dictionaries: Record<string, string[]> = {};
  private rowById = new Int32Array(0);
  private readonly categories = new Map<string, readonly string[]>();
  private derivedSeconds: Float64Array | null = null;

  /** Names of all columns, in the service's order. */
  names(): string[] {
    return [...this.columns.keys()];
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  /** A view of exactly `rows` numbers; it must not be kept over a merge. `seconds` is ended - started. */
  numbers(name: string): ColumnData | undefined {
    if (name === 'seconds') return this.seconds();
    return this.columns.get(name)?.data.subarray(0, this.rows);
  }

  /** Like numbers(), for a column that must be there. */
  column(name: string): ColumnData {
    return this.numbers(name) ?? new Float64Array(this.rows).fill(NaN);
  }

  labels(name: string): readonly string[] | undefined {
    return kDictionaryColumns.includes(name) ? (this.dictionaries[name] ?? []) : this.categories.get(name);
  }

  /** The name of a row's state, for example `completed`. */
  stateOf(row: number): string {
    return this.dictionaries.state?.[this.columns.get('state')!.data[row]!] ?? '';
  }

  causeOf(row: number): string {
    return this.dictionaries.cause?.[this.columns.get('cause')!.data[row]!] ?? '';
  }

  /** The index of a state's name, or -1. */
  stateIndex(name: string): number {
    return this.dictionaries.state?.indexOf(name) ?? -1;
  }

  /** -1 if there is no such trial. */
  rowOf(id: number): number {
    return (id >= 0 && id < this.rowById.length ? this.rowById[id]! : 0) - 1;
  }

  idOf(row: number): number {
    return this.columns.get('id')!.data[row]!;
  }

  /** Tells the names of categories. */
  setSpace(space: readonly Parameter[]): void {
    this.categories.clear();
    for (const parameter of space) {
      if (parameter.type === 'CATEGORICAL') this.categories.set('p:' + parameter.name, (parameter.values ?? []).map(String));
    }
  }

  /** Bytes that the columns hold. */
  bytes(): number {
    let sum = this.rowById.byteLength + (this.derivedSeconds?.byteLength ?? 0);
    for (const { data } of this.columns.values()) sum += data.byteLength;
    return sum;
  }

  /** Returns the rows that are new or changed; after a full answer, all. */
  merge(block: Columns): number[] | 'all' {
    const { header } = block;
    this.sequence = header.sequence;
    this.derivedSeconds = null;
    if (header.full) {
      this.replace(block);
      return 'all';
    }
    const changed: number[] = [];
    const ids = block.data.get('id');
    if (!ids || ids.length === 0) return changed;
    const translate = this.joinDictionaries(header.dictionaries ?? {});
    for (const [name, type] of block.types) this.ensureColumn(name, type);
    const deleted = (header.dictionaries?.state ?? []).indexOf('deleted');
    const states = block.data.get('state');
    const gone: number[] = [];
    for (let i = 0; i < ids.length; ++i) {
      const id = ids[i]!;
      let row = this.rowOf(id);
      if (deleted >= 0 && states && states[i] === deleted) {
        if (row >= 0) gone.push(row);
        continue;
      }
      if (row < 0) {
        row = this.rows;
        this.reserve(row + 1);
        this.rows = row + 1;
        this.setRow(id, row);
      }
      for (const [name, column] of this.columns) {
        const source = block.data.get(name);
        const value = source ? source[i]! : NaN;
        const table = translate.get(name);
        column.data[row] = table ? table[value]! : value;
      }
      changed.push(row);
    }
    if (gone.length === 0) return changed;
    this.drop(new Set(gone));
    return 'all';
  }

  private seconds(): Float64Array {
    if (!this.derivedSeconds) {
      const started = this.column('started');
      const ended = this.column('ended');
      this.derivedSeconds = Float64Array.from({ length: this.rows }, (_, i) => (ended[i]! - started[i]!) / 1000);
    }
    return this.derivedSeconds;
  }

  private setRow(id: number, row: number): void {
    if (id >= this.rowById.length) {
      const grown = new Int32Array(Math.max(id + 1, this.rowById.length * 2, kMinCapacity));
      grown.set(this.rowById);
      this.rowById = grown;
    }
    this.rowById[id] = row + 1;
  }

  private replace(block: Columns): void {
    this.columns.clear();
    this.rowById = new Int32Array(0);
    this.dictionaries = { ...block.header.dictionaries };
    this.rows = this.capacity = block.data.get('id')?.length ?? 0;
    for (const [name, data] of block.data) this.columns.set(name, { type: block.types.get(name)!, data });
    const ids = block.data.get('id');
    let largest = 0;
    for (let row = 0; row < this.rows; ++row) largest = Math.max(largest, ids![row]!);
    this.rowById = new Int32Array(largest + 1);
    for (let row = 0; row < this.rows; ++row) this.rowById[ids![row]!] = row + 1;
  }

  private reserve(rows: number): void {
    if (rows <= this.capacity) return;
    this.capacity = Math.max(kMinCapacity, Math.ceil(this.capacity * 1.25), rows);
    for (const column of this.columns.values()) {
      const grown = makeColumn(column.type, this.capacity);
      grown.set(column.data.subarray(0, this.rows));
      column.data = grown;
    }
  }

  private ensureColumn(name: string, type: ColumnType): void {
    if (this.columns.has(name)) return;
    const data = makeColumn(type, this.capacity);
    if (type === 'f32' || type === 'f64') data.fill(NaN);
    this.columns.set(name, { type, data });
  }

  /** Adds names that are new; returns how the answer's indexes read in ours, where they differ. */
  private joinDictionaries(theirs: Record<string, string[]>): Map<string, number[]> {
    const translate = new Map<string, number[]>();
    for (const [name, words] of Object.entries(theirs)) {
      const ours = (this.dictionaries[name] ??= []);
      const table = words.map((word) => {
        const at = ours.indexOf(word);
        return at >= 0 ? at : ours.push(word) - 1;
      });
      if (table.some((to, from) => to !== from)) translate.set(name, table);
    }
    return translate;
  }

  private drop(gone: ReadonlySet<number>): void {
    let to = 0;
    for (let from = 0; from < this.rows; ++from) {
      const id = this.idOf(from);
      if (gone.has(from)) {
        this.rowById[id] = 0;
        continue;
      }
      if (to !== from) for (const { data } of this.columns.values()) data[to] = data[from]!;
      this.rowById[id] = ++to;
    }
    this.rows = to;
  }
}

/** The best value up to each row, in the order of rows; NaN before the first. */
export function bestSoFar(values: ArrayLike<number>, mayBeBest: ArrayLike<number> | undefined, goal: Goal): Float64Array {
  const best = new Float64Array(values.length);
  let now = NaN;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isNaN(value) && (!mayBeBest || mayBeBest[i])) {
      if (Number.isNaN(now) || (goal === 'MAXIMIZE' ? value > now : value < now)) now = value;
    }
    best[i] = now;
  }
  return best;
}
