// Colours of plots: those of the page's style, and scales on which equal steps look equal.
import { computed } from '@preact/signals';
import { isDark } from '../store/preferences';

export interface Palette {
  dark: boolean;
  surface: string;
  text: string;
  muted: string;
  line: string;
  /** Points and lines that are not in focus. */
  dim: string;
  accent: string;
  bad: string;
  font: string;
  fontSize: number;
}

/** The custom properties of styles/tokens.css, read again when the theme changes. */
export const palette = computed<Palette>(() => {
  const dark = isDark.value;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const size = parseFloat(style.fontSize);
  return {
    dark,
    surface: get('--surface'),
    text: get('--text'),
    muted: get('--muted'),
    line: get('--line'),
    dim: get('--dim'),
    accent: get('--accent'),
    bad: get('--bad'),
    font: get('--font'),
    fontSize: Math.round(size * 0.88),
  };
});

// Every sixteenth of the maps of matplotlib (public domain, CC0).
const kViridis = [
  0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
  0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725,
];
const kCividis = [
  0x00224e, 0x002f6d, 0x1c3b6d, 0x35476b, 0x48526b, 0x575d6d, 0x666970, 0x747475,
  0x838079, 0x948e77, 0xa59c74, 0xb7aa6d, 0xc9b965, 0xdcc858, 0xf0d846, 0xfee838,
];

export type ColourMap = 'viridis' | 'cividis';

/** `t` from 0 to 1; outside of that, the nearest end. */
export function mapColour(map: ColourMap, t: number): [number, number, number] {
  const stops = map === 'viridis' ? kViridis : kCividis;
  const at = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  const f = at - i;
  const a = stops[i]!;
  const b = stops[i + 1]!;
  const mix = (shift: number) => Math.round(((a >> shift) & 255) * (1 - f) + ((b >> shift) & 255) * f);
  return [mix(16), mix(8), mix(0)];
}

export const cssColour = ([r, g, b]: [number, number, number]): string => `rgb(${r},${g},${b})`;

/**
 * The colour of a value: 0 the worst, 1 the best. The best stands out from the
 * background: the map's dark end on a light page, its bright end on a dark one.
 */
export function valueColour(t: number, dark: boolean): string {
  return cssColour(mapColour('viridis', dark ? 0.12 + 0.88 * t : 0.9 - 0.9 * t));
}

/** valueColour in equal steps, for drawing in batches by colour. */
export function valueColours(steps: number, dark: boolean): string[] {
  return Array.from({ length: steps }, (_, i) => valueColour(steps > 1 ? i / (steps - 1) : 1, dark));
}

/** Colours for a few lines beside each other, told apart also by people who see fewer colours (Okabe and Ito, 2008). */
export function seriesColours(dark: boolean): string[] {
  return dark
    ? ['#56b4e9', '#e69f00', '#2fbf93', '#cc8fb5', '#f0e442', '#8fa8ff', '#e8743b', '#b0b5bc']
    : ['#0068a8', '#c77700', '#00805d', '#a8447e', '#7a6c00', '#4b54c9', '#b5470a', '#5d646d'];
}
