// Which parameters matter, alone and together; what to change about the search.
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { startAction } from '../actions';
import { formatNumber, formatShare } from '../format';
import { growthText, promiseText, type Insights, type Share } from '../insights';
import { keptPieces } from '../names';
import { fitText, useFont, type Frame } from '../plots/axes';
import { palette, valueColour } from '../plots/colour';
import { Plot, type Hover } from '../plots/plot';
import { href, navigate, route, setQuery } from '../router';
import { canWrite } from '../store/session';
import type { StudyInfo } from '../types';
import { Button, Choice } from '../ui/button';
import { WithInsights } from './insight_parts';
import type { TabProps } from './tab_props';

const kRow = 24;
const kMostInMatrix = 12;

function Bars({ info, importance }: { info: StudyInfo; importance: readonly Share[] }) {
  const area = useRef({ left: 0, right: 1, top: 0 });
  const kept = useMemo(() => keptPieces(importance.map(({ parameter }) => parameter)), [importance]);
  const high = Math.min(1, Math.max(0.1, ...importance.map((each) => Math.min(1, each.high))));
  const draw = useCallback(
    (frame: Frame) => {
      const { g, palette: colours, width } = frame;
      useFont(frame);
      const wanted = Math.max(...importance.map(({ parameter }) => g.measureText(parameter).width)) + 10;
      const left = Math.min(wanted, width * 0.4);
      const right = width - 48;
      area.current = { left, right, top: 0 };
      const x = (share: number) => left + Math.min(1, share / high) * (right - left);
      g.textBaseline = 'middle';
      importance.forEach((each, i) => {
        const y = i * kRow + kRow / 2;
        g.textAlign = 'right';
        g.fillStyle = colours.text;
        g.fillText(fitText(g, each.parameter, left - 10, kept.get(each.parameter)), left - 10, y);
        g.fillStyle = colours.dim;
        g.fillRect(left, y - 5, Math.max(1, x(each.share) - left), 10);
        g.strokeStyle = colours.text;
        g.lineWidth = 1;
        g.beginPath();
        g.moveTo(x(each.low), y);
        g.lineTo(x(each.high), y);
        for (const end of [each.low, each.high]) {
          g.moveTo(x(end), y - 3.5);
          g.lineTo(x(end), y + 3.5);
        }
        g.stroke();
        g.textAlign = 'right';
        g.fillStyle = colours.text;
        g.fillText(formatShare(each.share), width, y);
      });
      g.strokeStyle = colours.line;
      g.beginPath();
      g.moveTo(left - 0.5, 0);
      g.lineTo(left - 0.5, importance.length * kRow);
      g.stroke();
    },
    [importance, kept, high],
  );
  const hoverOf = (i: number): Hover | null => {
    const each = importance[i];
    if (!each) return null;
    const { left, right } = area.current;
    const range = `${formatShare(each.low)} to ${formatShare(each.high)}`;
    return {
      x: left + Math.min(1, each.share / high) * (right - left),
      y: i * kRow + kRow / 2,
      key: i,
      text: `${each.parameter} explains ${formatShare(each.share)}, ${range}`,
      pick: () => navigate(href({ view: 'study', study: info.id, tab: 'slices' }, { p: each.parameter })),
      content: (
        <>
          <strong>{each.parameter}</strong>
          <dl>
            <dt>explains</dt>
            <dd>{formatShare(each.share)}</dd>
            <dt>probably</dt>
            <dd>{range}</dd>
          </dl>
        </>
      ),
    };
  };
  return (
    <Plot
      name={`${info.id}-importance`}
      title="Importance"
      label={`Importance of the parameters for ${info.metric}: ${importance.map((each) => `${each.parameter} ${formatShare(each.share)}`).join(', ')}.`}
      height={importance.length * kRow + 4}
      draw={draw}
      hover={(_, y) => hoverOf(Math.floor(y / kRow))}
      step={(by, from) => hoverOf(from ? Number(from.key) + by : by > 0 ? 0 : importance.length - 1) ?? from}
      table={() => ({ head: ['parameter', 'share', 'low', 'high'], rows: importance.map((each) => [each.parameter, each.share, each.low, each.high]) })}
    >
      <p class="muted note">
        How much of the variation of {info.metric || 'the metric'} each parameter explains by itself. The thin line holds about 90{'\u202f'}% of what
        the model takes for possible.
      </p>
    </Plot>
  );
}

function Matrix({ info, insights }: { info: StudyInfo; insights: Insights }) {
  const { interactions } = insights;
  const names = useMemo(() => {
    const there = new Set(interactions.flatMap(({ first, second }) => [first, second]));
    return insights.importance.map(({ parameter }) => parameter).filter((name) => there.has(name)).slice(0, kMostInMatrix);
  }, [insights]);
  const kept = useMemo(() => keptPieces(names), [names]);
  const cells = useMemo(
    () =>
      interactions
        .map(({ first, second, share }) => {
          const [a, b] = [names.indexOf(first), names.indexOf(second)];
          return { column: Math.min(a, b), row: Math.max(a, b), first, second, share };
        })
        .filter(({ column }) => column >= 0),
    [interactions, names],
  );
  const most = Math.max(...cells.map(({ share }) => share));
  const size = useRef({ left: 0, cell: 1 });
  const cell = 28;
  const draw = useCallback(
    (frame: Frame) => {
      const { g, palette: colours, width } = frame;
      useFont(frame);
      const left = Math.min(Math.max(...names.map((name) => g.measureText(name).width)) + 10, width * 0.4);
      const side = Math.min(cell * 1.8, (width - left) / names.length);
      size.current = { left, cell: side };
      g.textBaseline = 'middle';
      names.forEach((name, i) => {
        g.textAlign = 'right';
        g.fillStyle = colours.text;
        if (i > 0) g.fillText(fitText(g, name, left - 10, kept.get(name)), left - 10, (i - 0.5) * cell);
        if (i < names.length - 1) {
          g.textAlign = 'center';
          g.fillStyle = colours.muted;
          g.fillText(fitText(g, name, side - 4, kept.get(name)), left + (i + 0.5) * side, (names.length - 1) * cell + 12);
        }
        for (let column = 0; column < i; ++column) {
          g.fillStyle = colours.line;
          g.globalAlpha = 0.5;
          g.fillRect(left + column * side + 1, (i - 1) * cell + 1, side - 2, cell - 2);
          g.globalAlpha = 1;
        }
      });
      for (const { column, row, share } of cells) {
        g.fillStyle = valueColour(share / most, colours.dark);
        g.fillRect(left + column * side + 1, (row - 1) * cell + 1, side - 2, cell - 2);
      }
    },
    [cells, names, kept, most],
  );
  const hoverOf = (i: number): Hover | null => {
    const each = cells[i];
    if (!each) return null;
    return {
      x: size.current.left + (each.column + 0.5) * size.current.cell,
      y: (each.row - 0.5) * cell,
      key: i,
      text: `${each.first} and ${each.second}: ${formatShare(each.share)}`,
      pick: () => navigate(href({ view: 'study', study: info.id, tab: 'contours' }, { x: each.first, y: each.second })),
      content: (
        <dl>
          <dt>
            {each.first} and {each.second}
          </dt>
          <dd>{formatShare(each.share)}</dd>
        </dl>
      ),
    };
  };
  if (cells.length === 0) return <p class="muted">No two parameters explain notably more together than each alone.</p>;
  return (
    <Plot
      name={`${info.id}-interactions`}
      title="Interactions"
      label={`What two parameters explain together beyond what each does: ${cells.map((each) => `${each.first} and ${each.second} ${formatShare(each.share)}`).join(', ')}.`}
      height={(names.length - 1) * cell + 24}
      draw={draw}
      hover={(x, y) => {
        const column = Math.floor((x - size.current.left) / size.current.cell);
        const row = Math.floor(y / cell) + 1;
        return hoverOf(cells.findIndex((each) => each.column === column && each.row === row));
      }}
      step={(by, from) => hoverOf(from ? Number(from.key) + by : by > 0 ? 0 : cells.length - 1) ?? from}
      table={() => ({ head: ['first', 'second', 'share'], rows: cells.map((each) => [each.first, each.second, each.share]) })}
    >
      <p class="muted note">What two parameters explain together beyond what each does by itself, at most {formatShare(most)}. A click opens their contour.</p>
    </Plot>
  );
}

export function Advice({ info, insights }: { info: StudyInfo; insights: Insights }) {
  return (
    <section class="panel">
      <h2>Advice</h2>
      <ul class="sentences">
        {insights.advice.map(({ parameter, text }) => (
          <li>
            {text} {parameter && <a href={href({ view: 'study', study: info.id, tab: 'slices' }, { p: parameter })}>Slice of {parameter}</a>}
          </li>
        ))}
        {insights.advice.length === 0 && <li>There is nothing to change about the search space.</li>}
        <li>{promiseText(insights)}</li>
      </ul>
    </section>
  );
}

const isNumber = (value: string) => value !== '' && !Number.isNaN(Number(value));

function PredictedBest({ info, insights }: { info: StudyInfo; insights: Insights }) {
  const { parameters, prediction } = insights.predictedBest;
  if (parameters.length === 0) return null;
  const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Predicted best</h2>
        {canWrite() && info.kind === 'job' && (
          <Button kind="quiet" icon="plus" onClick={() => startAction('add', info, values)}>
            Try it
          </Button>
        )}
      </div>
      {prediction && (
        <p>
          The model expects <strong>{formatNumber(prediction.mean, 4)}</strong>{' '}
          <span class="muted">
            ({formatNumber(prediction.low, 4)} to {formatNumber(prediction.high, 4)})
          </span>{' '}
          at
        </p>
      )}
      <table class="plain-table">
        <tbody>
          {parameters.map(({ name, value }) => (
            <tr>
              <th scope="row">{name}</th>
              <td class={isNumber(value) ? 'number' : undefined}>{isNumber(value) ? formatNumber(Number(value)) : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Which of several metrics the model is of; the address names it. */
function MetricChoice({ info, metric }: { info: StudyInfo; metric: string }) {
  return (
    <Choice
      label="Metric"
      value={metric}
      options={info.metricSpecs.map(({ name }) => ({ value: name, text: name }))}
      onChange={(name) => setQuery({ metric: name === info.metricSpecs[0]?.name ? null : name })}
    />
  );
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      <ul class="sentences">
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

export function ImportanceTab({ info }: TabProps) {
  palette.value;
  const { metricSpecs: specs } = info;
  const wanted = route.value.query.metric;
  const metric = (specs.find(({ name }) => name === wanted) ?? specs[0])?.name ?? '';
  const isOne = specs.length < 2;
  return (
    <WithInsights info={info} metric={isOne ? '' : metric}>
      {(insights) => (
        <>
          {!isOne && <MetricChoice info={info} metric={metric} />}
          <div class="panels two">
            <h2 class="off-screen">Importance</h2>
            <section class="panel">
              <Bars info={info} importance={insights.importance} />
            </section>
            <section class="panel">
              <Matrix info={info} insights={insights} />
            </section>
            <Sentences title="The front" sentences={[growthText(insights), ...insights.tradeOffs].filter(Boolean)} />
            <Sentences title="Trials that died" sentences={insights.failures} />
            <Advice info={info} insights={insights} />
            <PredictedBest info={info} insights={insights} />
          </div>
        </>
      )}
    </WithInsights>
  );
}
