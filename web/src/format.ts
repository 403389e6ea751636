// Numbers, times and sizes as text.

const kThin = '\u202f';

/** At and above it, and below kSmall, a number has an exponent. */
const kLarge = 1e7;
const kSmall = 1e-4;

/**
 * The shortest text with `digits` significant digits: no trailing zeros, whole parts in full. It is a
 * number for every program that it is pasted into, as Python writes it (1.06e-09), and never cut.
 * base/number_text.h is the same for terminals, with the same table of cases in its test.
 */
export function formatNumber(value: number, digits = 5): string {
  if (Number.isNaN(value)) return '';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const isWhole = Math.abs(value) >= 10 ** digits;
  const rounded = isWhole ? Math.round(value) : Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const exponent = value
    .toExponential(digits - 1)
    .replace(/\.?0+e/, 'e')
    .replace(/e([+-])(\d)$/, 'e$10$2');
  if (size < kSmall) return exponent;
  const plain = isWhole ? BigInt(rounded).toString() : plainText(rounded, digits);
  return size >= kLarge && exponent.length < plain.length ? exponent : plain;
}

/** 0.5 rather than 0.500; no exponent. */
function plainText(value: number, digits: number): string {
  const after = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(100, after));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Whole numbers. Without a mark between thousands, so that a copied one is a number. */
export function formatCount(value: number): string {
  return String(Math.round(value));
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** 0.4 s, 12 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 0) seconds = 0;
  if (seconds < 9.95) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const parts: [number, string][] = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const at = parts.findIndex(([size]) => whole >= size);
  const [size, unit] = parts[at]!;
  const first = Math.floor(whole / size);
  const next = parts[at + 1]!;
  const second = Math.floor((whole - first * size) / next[0]);
  return second && first < 100 ? `${first} ${unit} ${second} ${next[1]}` : `${first} ${unit}`;
}

/** One unit only: 12 s, 3 min, 5 h, 2 d. */
export function formatAge(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

const two = (value: number) => String(value).padStart(2, '0');

const kZoneName = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** 2026-01-15 19:04:05 CET: local time, with the zone's name at that time. */
export function formatTime(ms: number): string {
  if (!Number.isFinite(ms)) return '';
  const t = new Date(ms);
  const zone = kZoneName.formatToParts(t).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())} ${zone}`.trimEnd();
}

/** 512 B, 1.5 KiB, 20 GiB. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let at = 0;
  while (bytes >= 1024 && at < units.length - 1) {
    bytes /= 1024;
    ++at;
  }
  return `${bytes < 10 && at > 0 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
}

/** 12 %, 0.4 %. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '';
  const percent = share * 100;
  return `${percent !== 0 && Math.abs(percent) < 1 ? percent.toFixed(1) : Math.round(percent)}${kThin}%`;
}

/** RUNNING -> Running, user_error -> user error. */
export function formatName(name: string): string {
  const text = name.toLowerCase().replace(/_/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With as many digits as tell the number from all others: a parameter, which a filter is to find as it is shown. */
export function exactNumber(value: number): string {
  const digits = value.toExponential().replace(/e.*$/, '').replace(/[-.]/g, '').length;
  return formatNumber(value, digits);
}

/** A word of a shell, quoted where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** A part of an address, which people may have typed: as it is if it cannot be decoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
