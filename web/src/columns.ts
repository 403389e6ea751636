// Decodes application/vnd.vernier.columns: the bytes "VCOL", the length of the
// header, the header as JSON, zeros up to a multiple of 8, then the columns.

export type ColumnType = 'u8' | 'i32' | 'f32' | 'f64';
export type ColumnData = Uint8Array | Int32Array | Float32Array | Float64Array;

export interface ColumnHeader {
  name: string;
  type: ColumnType;
  offset: number;
  length: number;
}

export interface Header {
  rows: number;
  sequence: number;
  full: boolean;
  columns: ColumnHeader[];
  dictionaries?: Record<string, string[]>;
  /** Rows of a timeline. */
  slots?: string[];
}

export interface Columns {
  header: Header;
  data: Map<string, ColumnData>;
  types: Map<string, ColumnType>;
}

const kMagic = 0x4c4f4356; // "VCOL", read as a little-endian number.

const kMakers = {
  u8: Uint8Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

export function makeColumn(type: ColumnType, length: number): ColumnData {
  return new kMakers[type](length);
}

/** Throws an Error that says what is wrong with the bytes. The columns are views into `buffer`. */
export function decodeColumns(buffer: ArrayBuffer): Columns {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== kMagic) {
    throw new Error('The answer is not a table of columns.');
  }
  const headerBytes = view.getUint32(4, true);
  if (8 + headerBytes > buffer.byteLength) throw new Error('The header of the columns is cut off.');
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerBytes))) as Header;
  const base = Math.ceil((8 + headerBytes) / 8) * 8;
  const data = new Map<string, ColumnData>();
  const types = new Map<string, ColumnType>();
  for (const column of header.columns) {
    const maker = kMakers[column.type];
    if (!maker) throw new Error(`Column ${column.name} has the unknown type ${String(column.type)}.`);
    const start = base + column.offset;
    if (start + column.length * maker.BYTES_PER_ELEMENT > buffer.byteLength) {
      throw new Error(`Column ${column.name} is cut off.`);
    }
    data.set(column.name, new maker(buffer, start, column.length));
    types.set(column.name, column.type);
  }
  return { header, data, types };
}
