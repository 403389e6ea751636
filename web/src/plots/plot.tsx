// The base of every plot: two canvases of the right size, a tooltip, the keyboard,
// a table as its text alternative, and saving as PNG, SVG or CSV.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Menu } from '../ui/menu';
import { Name } from '../ui/name';
import type { Frame } from './axes';
import { palette } from './colour';
import { download, formatCsv, type PlotTable } from './export';
import { SvgContext } from './svg_context';

/** What the pointer or the keyboard is on. */
export interface Hover {
  /** Where it is, in CSS pixels of the plot. */
  x: number;
  y: number;
  /** Identity, for example a trial's row: a hover with another key is another thing. */
  key: number | string;
  /** Lines of the tooltip. */
  content: ComponentChildren;
  /** The same for screen readers. */
  text: string;
  /** What a click or Enter does. */
  pick?: () => void;
}

export interface Drag {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface PlotProps {
  /** Name of saved files. */
  name: string;
  title: string;
  /** What a reader who cannot see the plot should know of it. */
  label: string;
  height: number;
  /** Draws the base layer. A new function is drawn anew, so keep it with useMemo or useCallback. */
  draw: (frame: Frame) => void;
  /** Draws what changes often, such as a brush, on a layer above. */
  overlay?: (frame: Frame) => void;
  /** What is near a point of the plot. */
  hover?: (x: number, y: number) => Hover | null;
  /** The next thing for the arrow keys: `by` is -1 or 1; `from` is null at first. */
  step?: (by: number, from: Hover | null) => Hover | null;
  /** While the pointer is dragged, and at its end. Without it a drag does nothing. */
  onDrag?: (drag: Drag, isDone: boolean) => void;
  onDoubleClick?: () => void;
  /** At a press: true if `onDrag` is to have it (default). */
  canDrag?: (x: number, y: number) => boolean;
  /** The numbers; at most some thousands are shown, all are saved. */
  table: () => PlotTable;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  cursor?: string;
  /** A layer of the caller's own, below the canvases. */
  background?: ComponentChildren;
  /** Controls right above the plot. */
  above?: ComponentChildren;
  /** Called when the pointer moves without a button. */
  onMove?: (x: number, y: number) => void;
  /** Says more, below the plot. */
  children?: ComponentChildren;
}

const kClickSlop = 4;
const kLongTitle = 24;
const kShownRows = 1000;

function fit(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const g = canvas.getContext('2d')!;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.globalAlpha = 1;
  g.setLineDash([]);
  return g;
}

function drawHover({ g, palette: colours }: Frame, hover: Hover): void {
  g.beginPath();
  g.arc(hover.x, hover.y, 6, 0, 2 * Math.PI);
  g.strokeStyle = colours.text;
  g.lineWidth = 1.5;
  g.stroke();
}

export function Plot(props: PlotProps) {
  const body = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState<Hover | null>(null);
  const [isTableShown, showTable] = useState(false);
  const drag = useRef<{ x: number; y: number; isDrag: boolean; isOurs: boolean } | null>(null);
  const colours = palette.value;
  const { height } = props;

  useLayoutEffect(() => {
    const element = body.current!;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (!width) return;
    props.draw({ g: fit(base.current!, width, height), width, height, palette: colours });
  }, [props.draw, width, height, colours]);

  useLayoutEffect(() => {
    if (!width) return;
    const frame = { g: fit(top.current!, width, height), width, height, palette: colours };
    props.overlay?.(frame);
    if (hover) drawHover(frame, hover);
  }, [props.overlay, hover, width, height, colours]);

  // What was hovered may have moved.
  useEffect(() => setHover(null), [props.draw]);

  const point = (event: PointerEvent) => {
    const box = body.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = point(event);
    const pressed = drag.current;
    if (pressed) {
      if (Math.hypot(x - pressed.x, y - pressed.y) > kClickSlop) pressed.isDrag = true;
      if (pressed.isDrag && pressed.isOurs) props.onDrag?.({ x0: pressed.x, y0: pressed.y, x1: x, y1: y }, false);
      return;
    }
    props.onMove?.(x, y);
    const next = props.hover?.(x, y) ?? null;
    if (next?.key !== hover?.key) setHover(next);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { x, y } = point(event);
    drag.current = { x, y, isDrag: false, isOurs: !!props.onDrag && (props.canDrag?.(x, y) ?? true) };
    if (drag.current.isOurs) body.current!.setPointerCapture(event.pointerId);
  };
  const onPointerUp = (event: PointerEvent) => {
    const pressed = drag.current;
    drag.current = null;
    if (!pressed) return;
    const { x, y } = point(event);
    if (pressed.isDrag) {
      if (pressed.isOurs) props.onDrag?.({ x0: pressed.x, y0: pressed.y, x1: x, y1: y }, true);
      return;
    }
    const on = props.hover?.(x, y) ?? null;
    if (event.pointerType === 'touch' && on?.key !== hover?.key) setHover(on); // The first tap shows, the second opens.
    else on?.pick?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== body.current) return;
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by && props.step) {
      event.preventDefault();
      setHover(props.step(by, hover));
    } else if (event.key === 'Enter' && hover?.pick) {
      event.preventDefault();
      hover.pick();
    } else if (event.key === 'Escape' && hover) {
      event.stopPropagation();
      setHover(null);
    }
  };

  const savePng = () => {
    const canvas = document.createElement('canvas');
    const ratio = 2;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const g = canvas.getContext('2d')!;
    g.scale(ratio, ratio);
    g.fillStyle = colours.surface;
    g.fillRect(0, 0, width, height);
    props.draw({ g, width, height, palette: colours, isFile: true });
    canvas.toBlob((blob) => blob && download(props.name + '.png', blob));
  };
  const saveSvg = () => {
    const g = new SvgContext(document.createElement('canvas').getContext('2d')!);
    props.draw({ g, width, height, palette: colours, isFile: true });
    download(props.name + '.svg', new Blob([g.toSvg(width, height, colours.surface)], { type: 'image/svg+xml' }));
  };
  const saveCsv = () => download(props.name + '.csv', new Blob([formatCsv(props.table())], { type: 'text/csv' }));

  return (
    <figure class="plot">
      <figcaption>
        <h2>{props.title.length > kLongTitle ? <Name text={props.title} /> : props.title}</h2>
        <div class="plot-tools">
          {props.tools}
          <Menu
            label={`${props.title}: save, or show as a table`}
            icon="more"
            kind="quiet"
            items={[
              { text: 'Show as a table', onPick: () => showTable(true) },
              { text: 'Save as PNG', onPick: savePng },
              { text: 'Save as SVG', onPick: saveSvg },
              { text: 'Save as CSV', onPick: saveCsv },
            ]}
          />
        </div>
      </figcaption>
      {props.above}
      <div
        ref={body}
        class="plot-body"
        role="img"
        aria-label={props.label}
        tabIndex={0}
        style={{ height: `${height}px`, cursor: props.cursor ?? (hover?.pick ? 'pointer' : '') }}
        onPointerMove={onPointerMove}
        onPointerDown={onPointerDown}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (drag.current = null)}
        onPointerLeave={() => setHover(null)}
        onDblClick={props.onDoubleClick}
        onKeyDown={onKeyDown}
        onBlur={() => setHover(null)}
      >
        {props.background}
        <canvas ref={base} aria-hidden="true" />
        <canvas ref={top} aria-hidden="true" />
        {hover && <Tooltip hover={hover} width={width} />}
      </div>
      <span class="off-screen" role="status">
        {hover?.text ?? ''}
      </span>
      {props.children}
      {isTableShown && <TableDialog title={props.title} table={props.table()} onSave={saveCsv} onClose={() => showTable(false)} />}
    </figure>
  );
}

function Tooltip({ hover, width }: { hover: Hover; width: number }) {
  const isRight = hover.x > width / 2;
  return (
    <div
      class="tooltip"
      aria-hidden="true"
      style={{ [isRight ? 'right' : 'left']: `${(isRight ? width - hover.x : hover.x) + 12}px`, top: `${Math.max(0, hover.y - 12)}px` }}
    >
      {hover.content}
    </div>
  );
}

function TableDialog(props: { title: string; table: PlotTable; onSave: () => void; onClose: () => void }) {
  const { head, rows } = props.table;
  return (
    <Dialog title={props.title} onClose={props.onClose} wide>
      <div class="dialog-body scroll" tabIndex={0} role="region" aria-label="Table">
        <table class="plain-table">
          <thead>
            <tr>
              {head.map((text) => (
                <th scope="col">{text}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, kShownRows).map((row) => (
              <tr>
                {row.map((cell) => (
                  <td class={typeof cell === 'number' ? 'number' : undefined}>{typeof cell === 'number' && Number.isNaN(cell) ? '' : String(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > kShownRows && <p class="muted">These are the first {kShownRows} of {rows.length} rows. The CSV file has all.</p>}
      </div>
      <footer>
        <Button icon="save" onClick={props.onSave}>
          Save as CSV
        </Button>
      </footer>
    </Dialog>
  );
}
