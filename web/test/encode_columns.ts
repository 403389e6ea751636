// Writes columns as the service does.
import type { ColumnData, Header } from '../src/columns';

export function encodeColumns(
  header: Omit<Header, 'columns'>,
  columns: Record<string, ColumnData>,
): ArrayBuffer {
  let offset = 0;
  const heads = Object.entries(columns).map(([name, data]) => {
    const type = data instanceof Uint8Array ? 'u8' : data instanceof Int32Array ? 'i32' : data instanceof Float32Array ? 'f32' : 'f64';
    const head = { name, type, offset, length: data.length };
    offset += Math.ceil(data.byteLength / 8) * 8;
    return head;
  });
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: heads }));
  const base = Math.ceil((8 + text.length) / 8) * 8;
  const bytes = new Uint8Array(base + offset);
  bytes.set(new TextEncoder().encode('VCOL'));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(text, 8);
  heads.forEach((head) => {
    const data = columns[head.name]!;
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), base + head.offset);
  });
  return bytes.buffer;
}
