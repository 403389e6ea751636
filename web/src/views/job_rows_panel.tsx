// A new job's metrics and constraints as rows, beside the text that they are written into.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { kMostRows, type JobRows, type RowProblems } from '../job_rows';
import { Button } from '../ui/button';

type Kind = keyof typeof kMostRows;

const kEmpty = { metrics: { name: '', goal: 'MINIMIZE', reference: '' }, bounds: { metric: '', min: '', max: '' }, rules: '' } as const;
const kNames: Record<Kind, string> = { metrics: 'metric', bounds: 'constraint on a metric', rules: 'constraint between parameters' };

export function JobRowsPanel(props: {
  rows: JobRows;
  problems: RowProblems;
  /** Why the rows cannot be changed now; '' if they can. */
  why: string;
  onChange: (rows: JobRows) => void;
}) {
  const { rows, problems } = props;
  // What gets the focus, by its id, before another key can be pressed.
  const next = useRef('');
  useLayoutEffect(() => {
    if (next.current) document.getElementById(next.current)?.focus();
    next.current = '';
  });

  const change = <K extends Kind>(kind: K, all: JobRows[K]) => props.onChange({ ...rows, [kind]: all });
  const edit = <K extends Kind>(kind: K, i: number, row: JobRows[K][number]) => change(kind, rows[kind].map((other, at) => (at === i ? row : other)) as unknown as JobRows[K]);
  const add = (kind: Kind) => {
    next.current = `${kind}-${rows[kind].length}`;
    change(kind, [...rows[kind], kEmpty[kind]] as JobRows[Kind]);
  };
  const remove = (kind: Kind, i: number) => {
    next.current = i > 0 ? `${kind}-${i - 1}` : `add-${kind}`;
    change(kind, rows[kind].filter((_, at) => at !== i) as JobRows[Kind]);
  };

  const adder = (kind: Kind) => (
    <Button id={'add-' + kind} kind="quiet" icon="plus" disabled={rows[kind].length >= kMostRows[kind]} onClick={() => add(kind)}>
      {`Add a ${kNames[kind]}`}
    </Button>
  );
  const row = (kind: Kind, i: number, canRemove: boolean, fields: ComponentChildren) => {
    const name = `${kNames[kind]} ${i + 1}`;
    return (
      <li>
        <div class="job-row" role="group" aria-label={name.charAt(0).toUpperCase() + name.slice(1)}>
          {fields}
          {canRemove && <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => remove(kind, i)} />}
        </div>
        {problems[kind][i] && (
          <span class="bad" id={`${kind}-${i}-problem`}>
            {problems[kind][i]}
          </span>
        )}
      </li>
    );
  };
  /** One text of a row; `first` has the row's id. */
  const input = (kind: Kind, i: number, what: { label: string; value: string; hint: string; title?: string; first?: boolean; isNumber?: boolean; set: (value: string) => void }) => (
    <input
      id={what.first ? `${kind}-${i}` : undefined}
      class={what.isNumber ? 'short' : undefined}
      aria-label={what.label}
      placeholder={what.hint}
      title={what.title}
      inputMode={what.isNumber ? 'decimal' : undefined}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      value={what.value}
      aria-invalid={!!problems[kind][i]}
      aria-describedby={problems[kind][i] ? `${kind}-${i}-problem` : undefined}
      onInput={(event) => what.set(event.currentTarget.value)}
    />
  );
  return (
    <section class="panel">
      <fieldset class="job-rows" disabled={!!props.why}>
        <legend class="off-screen">Metrics and constraints</legend>
        <h2>Metrics</h2>
        <ul>
          {rows.metrics.map((metric, i) =>
            row('metrics', i, rows.metrics.length > 1, (
              <>
                {input('metrics', i, { label: 'Name', value: metric.name, hint: 'name', first: true, set: (name) => edit('metrics', i, { ...metric, name }) })}
                <select aria-label="Goal" value={metric.goal} onChange={(event) => edit('metrics', i, { ...metric, goal: event.currentTarget.value as 'MAXIMIZE' | 'MINIMIZE' })}>
                  <option value="MAXIMIZE">maximize</option>
                  <option value="MINIMIZE">minimize</option>
                </select>
                {input('metrics', i, {
                  label: 'Reference', value: metric.reference, hint: 'reference', isNumber: true,
                  title: 'The worst value that is still of use. Without one it follows from the results.',
                  set: (reference) => edit('metrics', i, { ...metric, reference }),
                })}
              </>
            )),
          )}
        </ul>
        {adder('metrics')}
        <h2>Constraints</h2>
        <ul>
          {rows.bounds.map((bound, i) =>
            row('bounds', i, true, (
              <>
                {input('bounds', i, { label: 'Metric', value: bound.metric, hint: 'metric', first: true, set: (metric) => edit('bounds', i, { ...bound, metric }) })}
                {input('bounds', i, { label: 'At least', value: bound.min, hint: 'min', isNumber: true, set: (min) => edit('bounds', i, { ...bound, min }) })}
                {input('bounds', i, { label: 'At most', value: bound.max, hint: 'max', isNumber: true, set: (max) => edit('bounds', i, { ...bound, max }) })}
              </>
            )),
          )}
        </ul>
        <ul>
          {rows.rules.map((rule, i) =>
            row('rules', i, true, input('rules', i, { label: 'Inequality or forbidden combination', value: rule, hint: 'layers + width/64 <= 40', first: true, set: (text) => edit('rules', i, text) })),
          )}
        </ul>
        <div>
          {adder('bounds')}
          {adder('rules')}
        </div>
      </fieldset>
      {props.why && <p class="muted">{props.why}</p>}
    </section>
  );
}
