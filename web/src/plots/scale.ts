// Scales map values to pixels; ticks are values that people like to read.
import { formatNumber } from '../format';
import type { Parameter } from '../types';

export interface Scale {
  readonly kind: 'linear' | 'log' | 'time' | 'category';
  /** Pixels of the ends. */
  readonly from: number;
  readonly to: number;
  /** NaN for values that have no place, such as 0 on a log scale. */
  place(value: number): number;
  /** The value at a pixel. */
  value(pixel: number): number;
  ticks(): Tick[];
}

export interface Tick {
  value: number;
  /** Empty: a tick without a text. */
  text: string;
}

/** The range of the numbers that a scale can show; null if there is none. NaN and infinities do not count. */
export function extent(values: ArrayLike<number>, isLog = false): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

/** Grows a range by a share at both ends, and makes an empty one a range. */
export function padded([low, high]: [number, number], share = 0.04, isLog = false): [number, number] {
  if (isLog) {
    const factor = high > low ? (high / low) ** share : 2;
    return [low / factor, high * factor];
  }
  const by = high > low ? (high - low) * share : Math.abs(high) * 0.1 || 1;
  return [low - by, high + by];
}

/** 1, 2 or 5 times a power of ten, so that about `count` of them cover `span`. */
export function niceStep(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return (lead >= 7.07 ? 10 : lead >= 3.16 ? 5 : lead >= 1.41 ? 2 : 1) * power;
}

const kPixelsPerTick = 78;

export function linearScale(low: number, high: number, from: number, to: number, pixelsPerTick = kPixelsPerTick): Scale {
  const factor = (to - from) / (high - low);
  return {
    kind: 'linear',
    from,
    to,
    place: (value) => from + (value - low) * factor,
    value: (pixel) => low + (pixel - from) / factor,
    ticks: () => {
      const step = niceStep(high - low, Math.abs(to - from) / pixelsPerTick);
      const ticks: Tick[] = [];
      const digits = Math.max(1, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / step)) + 1);
      for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
        const value = Number((i * step).toPrecision(12));
        ticks.push({ value, text: formatNumber(value, Math.min(12, digits)) });
      }
      return ticks;
    },
  };
}

/** For numbers that are whole, such as those of trials and steps: no ticks between them. */
export function wholeScale(low: number, high: number, from: number, to: number): Scale {
  const linear = linearScale(low, high, from, to);
  return { ...linear, ticks: () => linear.ticks().filter(({ value }) => Number.isInteger(value)) };
}

/** `low` must be above 0. */
export function logScale(low: number, high: number, from: number, to: number, pixelsPerTick = 44): Scale {
  const start = Math.log(low);
  const factor = (to - from) / (Math.log(high) - start);
  const place = (value: number) => (value > 0 ? from + (Math.log(value) - start) * factor : NaN);
  return {
    kind: 'log',
    from,
    to,
    place,
    value: (pixel) => Math.exp(start + (pixel - from) / factor),
    ticks: () => {
      const pixelsPerDecade = Math.abs(factor) * Math.LN10;
      const firstPower = Math.floor(Math.log10(low));
      const lastPower = Math.ceil(Math.log10(high));
      const every = Math.max(1, Math.ceil(pixelsPerTick / pixelsPerDecade));
      const leads = pixelsPerDecade > 5 * pixelsPerTick ? [1, 2, 3, 5] : pixelsPerDecade > 2.5 * pixelsPerTick ? [1, 3] : [1];
      const ticks: Tick[] = [];
      for (let power = firstPower; power <= lastPower; ++power) {
        for (let lead = 1; lead < 10; ++lead) {
          const value = Number((lead * 10 ** power).toPrecision(12));
          if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
          const isNamed = lead === 1 ? power % every === 0 : every === 1 && leads.includes(lead);
          if (isNamed || every === 1) ticks.push({ value, text: isNamed ? formatNumber(value, 3) : '' });
        }
      }
      // Less than a decade: no power of ten may be inside.
      if (ticks.filter((tick) => tick.text).length < 2) return linearScale(low, high, from, to).ticks().filter(({ value }) => value > 0);
      return ticks;
    },
  };
}

/** As a logarithm seen in a mirror: it spreads the values near `high`. `low` must be above 0. */
export function reverseLogScale(low: number, high: number, from: number, to: number, pixelsPerTick = kPixelsPerTick): Scale {
  const mirrored = logScale(low, high, to, from);
  const value = (pixel: number) => low + high - mirrored.value(pixel);
  return {
    kind: 'log',
    from,
    to,
    place: (at) => mirrored.place(low + high - at),
    value,
    ticks: () => {
      const count = Math.max(1, Math.floor(Math.abs(to - from) / pixelsPerTick));
      const ticks: Tick[] = [];
      for (let i = 0; i <= count; ++i) {
        const exact = value(from + ((to - from) * i) / count);
        // As round as the distance to the next one allows.
        const beside = value(from + ((to - from) * (i + (i < count ? 1 : -1))) / count);
        const step = niceStep(Math.abs(beside - exact), 4);
        const round = i === 0 || i === count ? Number(exact.toPrecision(12)) : Number((Math.round(exact / step) * step).toPrecision(12));
        if (round !== ticks.at(-1)?.value) ticks.push({ value: round, text: formatNumber(round, 8) });
      }
      return ticks;
    },
  };
}

/** Places whole numbers from 0 on in the middle of equal bands. */
export function categoryScale(labels: readonly string[], from: number, to: number): Scale {
  const band = (to - from) / Math.max(1, labels.length);
  return {
    kind: 'category',
    from,
    to,
    place: (value) => from + (value + 0.5) * band,
    value: (pixel) => (pixel - from) / band - 0.5,
    ticks: () => labels.map((text, value) => ({ value, text })),
  };
}

const kTimeSteps: [number, string][] = [
  [1e3, 's'], [5e3, 's'], [15e3, 's'], [30e3, 's'], [6e4, 'm'], [3e5, 'm'], [9e5, 'm'], [18e5, 'm'],
  [36e5, 'm'], [108e5, 'm'], [216e5, 'm'], [432e5, 'm'], [864e5, 'd'], [1728e5, 'd'], [6048e5, 'd'], [26784e5, 'd'],
];

const two = (value: number) => String(value).padStart(2, '0');

function timeText(ms: number, unit: string): string {
  const t = new Date(ms);
  if (unit === 'd' || (t.getHours() === 0 && t.getMinutes() === 0 && t.getSeconds() === 0)) return `${t.getMonth() + 1}-${two(t.getDate())}`;
  const clock = `${two(t.getHours())}:${two(t.getMinutes())}`;
  return unit === 's' ? `${clock}:${two(t.getSeconds())}` : clock;
}

/** Milliseconds since 1970, read in local time. */
export function timeScale(low: number, high: number, from: number, to: number): Scale {
  const linear = linearScale(low, high, from, to);
  return {
    ...linear,
    kind: 'time',
    ticks: () => {
      const count = Math.max(1, Math.abs(to - from) / 80);
      const [step, unit] = kTimeSteps.find(([size]) => (high - low) / size <= count) ?? kTimeSteps[kTimeSteps.length - 1]!;
      const offset = new Date(low).getTimezoneOffset() * 60_000;
      const ticks: Tick[] = [];
      for (let t = Math.ceil((low - offset) / step) * step + offset; t <= high; t += step) ticks.push({ value: t, text: timeText(t, unit) });
      return ticks;
    },
  };
}

/** Seconds since a start, with ticks at round minutes, hours and days. */
export function elapsedScale(high: number, from: number, to: number): Scale {
  const linear = linearScale(0, high, from, to);
  const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  return {
    ...linear,
    ticks: () => {
      const step = steps.find((size) => high / size <= Math.max(1, Math.abs(to - from) / 80)) ?? niceStep(high, 5);
      const ticks: Tick[] = [];
      for (let t = 0; t <= high * 1.0001; t += step) {
        const [size, unit] = step < 60 ? [1, 's'] : step < 3600 ? [60, 'min'] : step < 86400 ? [3600, 'h'] : [86400, 'd'];
        ticks.push({ value: t, text: t === 0 ? '0' : `${formatNumber(t / (size as number), 6)} ${unit}` });
      }
      return ticks;
    },
  };
}

/**
 * The scale of a parameter as the search sees it: logarithmic, from the low
 * or from the high end, if it searches so, categories by name. `labels` are those of the column.
 */
export function parameterScale(parameter: Parameter, from: number, to: number): Scale {
  if (parameter.type === 'CATEGORICAL') return categoryScale((parameter.values ?? []).map(String), from, to);
  const numbers = (parameter.values ?? []).map(Number);
  const low = parameter.min ?? Math.min(...numbers);
  const high = parameter.max ?? Math.max(...numbers);
  const scale =
    low > 0 && high > low && parameter.scale === 'LOG'
      ? logScale(low, high, from, to)
      : low > 0 && high > low && parameter.scale === 'REVERSE_LOG'
        ? reverseLogScale(low, high, from, to)
        : linearScale(low, high > low ? high : low + 1, from, to);
  if (parameter.type !== 'DISCRETE') return scale;
  return { ...scale, ticks: () => numbers.map((value) => ({ value, text: formatNumber(value) })) };
}
