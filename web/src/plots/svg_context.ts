// As much of CanvasRenderingContext2D as our plots use, written down as SVG.

type Matrix = [number, number, number, number, number, number];

interface State {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  lineCap: CanvasLineCap;
  lineJoin: CanvasLineJoin;
  dash: number[];
  matrix: Matrix;
  clip: string;
}

/** What a plot may draw with; a canvas' context is one. */
export type Painter = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'font' | 'textAlign' | 'textBaseline' | 'lineCap' | 'lineJoin'
  | 'save' | 'restore' | 'translate' | 'rotate' | 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'rect' | 'arc'
  | 'bezierCurveTo' | 'stroke' | 'fill' | 'fillRect' | 'strokeRect' | 'fillText' | 'measureText' | 'clip' | 'setLineDash'
>;

const round = (value: number) => String(Math.round(value * 100) / 100);
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

export class SvgContext implements Painter {
  private readonly parts: string[] = [];
  private readonly clips: string[] = [];
  private path = '';
  private stack: State[] = [];
  private state: State = {
    fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, globalAlpha: 1, font: '10px sans-serif', textAlign: 'start',
    textBaseline: 'alphabetic', lineCap: 'butt', lineJoin: 'miter', dash: [], matrix: [1, 0, 0, 1, 0, 0], clip: '',
  };

  /** `measure` tells widths of texts. */
  constructor(private readonly measure: CanvasRenderingContext2D) {}

  get fillStyle(): string { return this.state.fillStyle; }
  set fillStyle(value: string | CanvasGradient | CanvasPattern) { this.state.fillStyle = String(value); }
  get strokeStyle(): string { return this.state.strokeStyle; }
  set strokeStyle(value: string | CanvasGradient | CanvasPattern) { this.state.strokeStyle = String(value); }
  get lineWidth(): number { return this.state.lineWidth; }
  set lineWidth(value: number) { this.state.lineWidth = value; }
  get globalAlpha(): number { return this.state.globalAlpha; }
  set globalAlpha(value: number) { this.state.globalAlpha = value; }
  get font(): string { return this.state.font; }
  set font(value: string) { this.state.font = value; }
  get textAlign(): CanvasTextAlign { return this.state.textAlign; }
  set textAlign(value: CanvasTextAlign) { this.state.textAlign = value; }
  get textBaseline(): CanvasTextBaseline { return this.state.textBaseline; }
  set textBaseline(value: CanvasTextBaseline) { this.state.textBaseline = value; }
  get lineCap(): CanvasLineCap { return this.state.lineCap; }
  set lineCap(value: CanvasLineCap) { this.state.lineCap = value; }
  get lineJoin(): CanvasLineJoin { return this.state.lineJoin; }
  set lineJoin(value: CanvasLineJoin) { this.state.lineJoin = value; }

  save(): void { this.stack.push({ ...this.state }); }
  restore(): void { this.state = this.stack.pop() ?? this.state; }
  setLineDash(dash: Iterable<number>): void { this.state.dash = [...dash]; }

  translate(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.state.matrix;
    this.state.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  rotate(angle: number): void {
    const [a, b, c, d, e, f] = this.state.matrix;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.state.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }

  beginPath(): void { this.path = ''; }
  moveTo(x: number, y: number): void { this.path += `M${round(x)} ${round(y)}`; }
  lineTo(x: number, y: number): void { this.path += `${this.path ? 'L' : 'M'}${round(x)} ${round(y)}`; }
  closePath(): void { this.path += 'Z'; }
  rect(x: number, y: number, w: number, h: number): void { this.path += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`; }
  bezierCurveTo(a: number, b: number, c: number, d: number, x: number, y: number): void {
    this.path += `C${[a, b, c, d, x, y].map(round).join(' ')}`;
  }

  arc(x: number, y: number, radius: number, start: number, end: number): void {
    const [x0, y0] = [x + radius * Math.cos(start), y + radius * Math.sin(start)];
    this.path += `${this.path && !/Z$/.test(this.path) ? 'L' : 'M'}${round(x0)} ${round(y0)}`;
    if (Math.abs(end - start) >= 2 * Math.PI - 1e-6) {
      const r = round(radius);
      this.path += `a${r} ${r} 0 1 1 ${round(-2 * radius * Math.cos(start))} ${round(-2 * radius * Math.sin(start))}`;
      this.path += `a${r} ${r} 0 1 1 ${round(2 * radius * Math.cos(start))} ${round(2 * radius * Math.sin(start))}Z`;
      return;
    }
    const large = Math.abs(end - start) > Math.PI ? 1 : 0;
    const r = round(radius);
    this.path += `A${r} ${r} 0 ${large} ${end > start ? 1 : 0} ${round(x + radius * Math.cos(end))} ${round(y + radius * Math.sin(end))}`;
  }

  stroke(): void {
    const { strokeStyle, lineWidth, dash, lineCap, lineJoin } = this.state;
    const extra =
      (dash.length ? ` stroke-dasharray="${dash.join(' ')}"` : '') +
      (lineCap !== 'butt' ? ` stroke-linecap="${lineCap}"` : '') +
      (lineJoin !== 'miter' ? ` stroke-linejoin="${lineJoin}"` : '');
    this.put(`<path d="${this.path}" fill="none" stroke="${escaped(strokeStyle)}" stroke-width="${round(lineWidth)}"${extra}`, '/>');
  }

  fill(): void { this.put(`<path d="${this.path}" fill="${escaped(this.state.fillStyle)}"`, '/>'); }

  fillRect(x: number, y: number, w: number, h: number): void {
    if (w < 0) [x, w] = [x + w, -w];
    if (h < 0) [y, h] = [y + h, -h];
    this.put(`<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" fill="${escaped(this.state.fillStyle)}"`, '/>');
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    const { strokeStyle, lineWidth } = this.state;
    this.put(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" fill="none" stroke="${escaped(strokeStyle)}" stroke-width="${round(lineWidth)}"`,
      '/>',
    );
  }

  fillText(text: string, x: number, y: number): void {
    const { textAlign, textBaseline, font, fillStyle } = this.state;
    const anchor = { center: 'middle', right: 'end', end: 'end', left: 'start', start: 'start' }[textAlign];
    const size = parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? '10');
    const shift = { middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2, ideographic: -0.2, alphabetic: 0 }[textBaseline];
    const family = font.replace(/^.*?[\d.]+px\s*/, '');
    const weight = /^(bold|[5-9]00)/.exec(font)?.[0];
    this.put(
      `<text x="${round(x)}" y="${round(y + size * shift)}" font-family="${escaped(family)}" font-size="${size}"` +
        `${weight ? ` font-weight="${weight}"` : ''} text-anchor="${anchor}" fill="${escaped(fillStyle)}"`,
      `>${escaped(text)}</text>`,
    );
  }

  measureText(text: string): TextMetrics {
    this.measure.font = this.state.font;
    return this.measure.measureText(text);
  }

  clip(): void {
    const id = `c${this.clips.length}`;
    this.clips.push(`<clipPath id="${id}"><path d="${this.path}"${this.transform()}/></clipPath>`);
    this.state.clip = id;
  }

  toSvg(width: number, height: number, background: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<defs>${this.clips.join('')}</defs><rect width="100%" height="100%" fill="${escaped(background)}"/>${this.parts.join('')}</svg>`
    );
  }

  private transform(): string {
    const { matrix } = this.state;
    return matrix.join() === '1,0,0,1,0,0' ? '' : ` transform="matrix(${matrix.map(round).join(' ')})"`;
  }

  private put(start: string, end: string): void {
    const { globalAlpha, clip } = this.state;
    // The clip is in the page's coordinates, so it wraps what is transformed.
    const element = `${start}${globalAlpha < 1 ? ` opacity="${round(globalAlpha)}"` : ''}${this.transform()}${end}`;
    this.parts.push(clip ? `<g clip-path="url(#${clip})">${element}</g>` : element);
  }
}
