// The range of one column in numbers, for exact values and for the keyboard.
import { useState } from 'preact/hooks';
import type { Brush } from '../filter';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

export function AxisWindow(props: {
  title: string;
  labels: readonly string[] | undefined;
  brush: Brush | undefined;
  canLog: boolean;
  isLog: boolean;
  onLog: () => void;
  onBrush: (brush: Brush | null) => void;
  onClose: () => void;
}) {
  const { brush, labels } = props;
  const end = (value: number) => (Number.isFinite(value) ? String(Number(value.toPrecision(8))) : '');
  const [low, setLow] = useState(brush?.kind === 'range' ? end(brush.low) : '');
  const [high, setHigh] = useState(brush?.kind === 'range' ? end(brush.high) : '');
  const [chosen, setChosen] = useState<readonly string[]>(brush?.kind === 'set' ? brush.labels : (labels ?? []));
  const [from, to] = [low.trim() === '' ? -Infinity : Number(low), high.trim() === '' ? Infinity : Number(high)];
  const isRight = labels ? chosen.length > 0 : from <= to;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isRight) return;
    if (labels) props.onBrush(chosen.length === labels.length ? null : { kind: 'set', labels: labels.filter((label) => chosen.includes(label)) });
    else props.onBrush(from === -Infinity && to === Infinity ? null : { kind: 'range', low: from, high: to });
    props.onClose();
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          {labels ? (
            <fieldset class="checks">
              <legend class="off-screen">Values</legend>
              {labels.map((label) => (
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(label)}
                    onChange={() => setChosen(chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label])}
                  />
                  {label || 'none'}
                </label>
              ))}
            </fieldset>
          ) : (
            <div class="field-row">
              <div class="field">
                <label for="axis-low">From</label>
                <input id="axis-low" inputMode="decimal" value={low} aria-invalid={!isRight} onInput={(event) => setLow(event.currentTarget.value)} />
              </div>
              <div class="field">
                <label for="axis-high">To</label>
                <input id="axis-high" inputMode="decimal" value={high} aria-invalid={!isRight} onInput={(event) => setHigh(event.currentTarget.value)} />
              </div>
            </div>
          )}
          {props.canLog && (
            <label>
              <input type="checkbox" checked={props.isLog} onChange={props.onLog} /> Logarithmic axis
            </label>
          )}
        </div>
        <footer>
          <Button
            onClick={() => {
              props.onBrush(null);
              props.onClose();
            }}
          >
            Show all
          </Button>
          <Button type="submit" kind="primary" disabled={!isRight}>
            Select
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
