// Long names in little room: the middle gives way, and the part that tells a
// name from those beside it stays. Pure. src/cli/text/short_names.h is the same for terminals.

/** A piece of a name, [begin, end), that stays whatever the room. */
export type Kept = readonly [begin: number, end: number];

const kAlike = 6; // Names that begin alike for so long need their difference shown.
const kMostKept = 16;
const kUsualEnd = 8;
const kContext = 2;

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a[n] === b[n]) ++n;
  return n;
}

function commonSuffix(a: string, b: string, most: number): number {
  let n = 0;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) ++n;
  return n;
}

/** The kept piece of each name: where it differs from others that begin alike; its end if there are none. */
export function keptPieces(names: readonly string[]): Map<string, Kept> {
  const sorted = [...new Set(names)].sort();
  const kept = new Map<string, Kept>();
  for (let first = 0; first < sorted.length; ) {
    let end = first + 1;
    while (end < sorted.length && commonPrefix(sorted[end - 1]!, sorted[end]!) >= kAlike) ++end;
    const group = sorted.slice(first, end);
    // The names are in order, so that the ends of the group have least in common.
    const prefix = commonPrefix(group[0]!, group.at(-1)!);
    let suffix = Infinity;
    for (const name of group) suffix = commonSuffix(name, group[0]!, Math.min(suffix, name.length - prefix));
    for (const name of group) {
      const last = name.length - (group.length > 1 ? suffix : 0);
      const begin = group.length > 1 ? prefix : name.length;
      if (group.length === 1 || last - begin > kMostKept) kept.set(name, [Math.max(0, name.length - (group.length === 1 ? kUsualEnd : kMostKept)), name.length]);
      else kept.set(name, [Math.max(0, begin - kContext), Math.min(name.length, last + kContext)]);
    }
    first = end;
  }
  return kept;
}

/** `name` in at most `most` characters, which are 5 at least. */
export function shortName(name: string, kept: Kept, most: number): string {
  if (name.length <= most) return name;
  let [begin, end] = kept;
  const isInside = end < name.length;
  const marks = isInside ? 2 : 1;
  // What differs begins the piece; at the end of a name its end does.
  if (end - begin > most - marks) {
    if (isInside) end = begin + most - marks;
    else begin = end - (most - marks);
  }
  const room = most - (end - begin) - 1 - (isInside ? 1 : 0);
  const head = Math.min(begin, Math.max(0, isInside ? Math.ceil(room / 2) : room));
  const tail = isInside ? Math.max(0, Math.min(name.length - end, room - head)) : 0;
  return (
    name.slice(0, head) + (head < begin ? '…' : '') + name.slice(begin, end) +
    (isInside ? (tail < name.length - end ? '…' : '') + name.slice(name.length - tail) : '')
  );
}
