// Axes with few lines: faint grid, ticks as text, the title at the end.
import { keptPieces, shortName, type Kept } from '../names';
import type { Palette } from './colour';
import type { Scale } from './scale';
import type { Painter } from './svg_context';

/** What a plot draws on, in CSS pixels. */
export interface Frame {
  g: Painter;
  width: number;
  height: number;
  palette: Palette;
  /** It is drawn into a file: what is otherwise drawn apart belongs here, too. */
  isFile?: boolean;
}

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const kTickGap = 6;

export function useFont({ g, palette }: Frame, weight = 400): void {
  g.font = `${weight} ${palette.fontSize}px ${palette.font}`;
}

/** The room that the texts of a vertical axis need. */
export function axisWidth(frame: Frame, scale: Scale): number {
  useFont(frame);
  let width = 0;
  for (const { text } of scale.ticks()) width = Math.max(width, frame.g.measureText(text).width);
  return Math.ceil(width) + kTickGap;
}

/** The place of data within a plot: room for ticks and titles around it. `y` need only have the right ticks. */
export function plotArea(frame: Frame, y: Scale | number, options: { title?: boolean; right?: number; bottom?: number } = {}): Area {
  const line = frame.palette.fontSize * 1.4;
  return {
    left: typeof y === 'number' ? y : Math.max(28, axisWidth(frame, y) + 2),
    top: Math.round(line * (options.title === false ? 0.6 : 1.5)),
    right: frame.width - (options.right ?? 12),
    bottom: frame.height - (options.bottom ?? Math.round(line * 1.4)),
  };
}

const kFewestCharacters = 5;

/** `text`, or as much of it as fits; its middle gives way. `kept`: of keptPieces, where it stands among others. */
export function fitText(g: Painter, text: string, width: number, kept?: Kept): string {
  if (g.measureText(text).width <= width) return text;
  const piece = kept ?? keptPieces([text]).get(text)!;
  let most = text.length - 1;
  while (most > kFewestCharacters && g.measureText(shortName(text, piece, most)).width > width) --most;
  return shortName(text, piece, most);
}

/** Ticks below the area; texts that would touch are left out. The title stands at the right end, above the ticks' line. */
export function drawXAxis(frame: Frame, area: Area, scale: Scale, title = '', options: { grid?: boolean } = {}): void {
  const { g, palette } = frame;
  useFont(frame);
  g.lineWidth = 1;
  g.textBaseline = 'top';
  g.textAlign = 'center';
  g.strokeStyle = palette.line;
  g.beginPath();
  g.moveTo(area.left, Math.round(area.bottom) + 0.5);
  g.lineTo(area.right, Math.round(area.bottom) + 0.5);
  g.stroke();
  const band = scale.kind === 'category' ? Math.abs(scale.place(1) - scale.place(0)) - 4 : Infinity;
  const y = area.bottom + kTickGap;
  title = title && fitText(g, title, frame.width / 2);
  const titleWidth = title ? g.measureText(title).width + 10 : 0;
  const kept = band < Infinity ? keptPieces(scale.ticks().map(({ text }) => text)) : null;
  let used = -Infinity;
  for (const tick of scale.ticks()) {
    const x = scale.place(tick.value);
    if (!(x >= area.left - 1 && x <= area.right + 1)) continue;
    if (options.grid && scale.kind !== 'category') {
      const at = Math.round(x) + 0.5;
      g.globalAlpha = tick.text ? 0.7 : 0.3;
      g.beginPath();
      g.moveTo(at, area.top);
      g.lineTo(at, area.bottom);
      g.stroke();
      g.globalAlpha = 1;
    }
    if (!tick.text) continue;
    const text = band < Infinity ? fitText(g, tick.text, band, kept?.get(tick.text)) : tick.text;
    const half = g.measureText(text).width / 2;
    const centre = Math.min(Math.max(x, half), frame.width - half);
    if (centre - half < used || centre + half > frame.width - titleWidth) continue;
    used = centre + half + 8;
    g.fillStyle = palette.muted;
    g.fillText(text, centre, y);
  }
  if (title) {
    g.textAlign = 'right';
    g.fillStyle = palette.muted;
    g.fillText(title, frame.width - 2, y);
  }
}

/** Ticks left of the area with a faint grid; the title stands above. */
export function drawYAxis(frame: Frame, area: Area, scale: Scale, title = '', options: { grid?: boolean } = {}): void {
  const { g, palette } = frame;
  useFont(frame);
  g.lineWidth = 1;
  g.textBaseline = 'middle';
  g.textAlign = 'right';
  const kept = scale.kind === 'category' ? keptPieces(scale.ticks().map(({ text }) => text)) : null;
  let used = Infinity;
  for (const tick of scale.ticks()) {
    const y = scale.place(tick.value);
    if (!(y >= area.top - 1 && y <= area.bottom + 1)) continue;
    if (options.grid !== false && scale.kind !== 'category') {
      const at = Math.round(y) + 0.5;
      g.globalAlpha = tick.text ? 0.7 : 0.3;
      g.strokeStyle = palette.line;
      g.beginPath();
      g.moveTo(area.left, at);
      g.lineTo(area.right, at);
      g.stroke();
      g.globalAlpha = 1;
    }
    if (!tick.text || Math.abs(used - y) < palette.fontSize * 1.2) continue;
    used = y;
    g.fillStyle = palette.muted;
    // A number is shown whole, a name gives way.
    g.fillText(kept ? fitText(g, tick.text, area.left - kTickGap, kept.get(tick.text)) : tick.text, area.left - kTickGap, y);
  }
  if (title) {
    g.textAlign = 'left';
    g.textBaseline = 'top';
    g.fillStyle = palette.muted;
    g.fillText(fitText(g, title, frame.width - 8), 0, 0);
  }
}
