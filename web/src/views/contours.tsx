// What the model expects over two parameters, with the trials over it.
import { useCallback, useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../format';
import type { Contour, Insights } from '../insights';
import { cssColour, mapColour, palette, valueColours } from '../plots/colour';
import type { Frame } from '../plots/axes';
import { drawHeat, drawLegend } from '../plots/heat';
import { PointsPlot, type Axis, type Layout } from '../plots/points_plot';
import { linearScale, parameterScale } from '../plots/scale';
import { route, setQuery } from '../router';
import type { Parameter, StudyInfo } from '../types';
import { Choice } from '../ui/button';
import { Empty } from '../ui/states';
import { PointNotes, toneOf, trialTip, useTrialPoints, WithInsights } from './insight_parts';
import type { TabProps } from './tab_props';

const kBands = 18;

type Shown = 'mean' | 'deviation';

function ContourPlot({ study, info, contour, shown, maximize }: TabProps & { contour: Contour; shown: Shown; maximize: boolean }) {
  const { dark } = palette.value;
  const points = useTrialPoints(study, info);
  const find = (name: string) => info.space.find((each) => each.name === name)!;
  const first = find(contour.first);
  const second = find(contour.second);
  const values = shown === 'mean' ? contour.mean : contour.deviation;
  const finite = values.filter(Number.isFinite);
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const data = useMemo(() => {
    const xs = study.table.column('p:' + contour.first);
    const ys = study.table.column('p:' + contour.second);
    return {
      row: points.rows,
      x: Float64Array.from(points.rows, (row) => xs[row]!),
      y: Float64Array.from(points.rows, (row) => ys[row]!),
      bright: points.bright,
      // In the colours of the map, so that a point that differs from it shows.
      tone: shown === 'mean' ? points.value.map((value) => toneOf(value, { low, high }, maximize)) : undefined,
      ring: points.ring,
    };
  }, [points, contour, shown]);
  const colours = useMemo(() => {
    if (shown === 'deviation') return Array.from({ length: kBands }, (_, i) => cssColour(mapColour('cividis', i / (kBands - 1))));
    const tones = valueColours(kBands, dark);
    return maximize ? tones : tones.reverse();
  }, [shown, dark, maximize]);
  const axis = (parameter: Parameter): Axis => ({
    title: parameter.name,
    column: 'p:' + parameter.name,
    labels: parameter.type === 'CATEGORICAL' ? (parameter.values ?? []).map(String) : undefined,
    scale: (from, to) => parameterScale(parameter, from, to),
  });
  const x = useMemo(() => axis(first), [JSON.stringify(first)]);
  const y = useMemo(() => axis(second), [JSON.stringify(second)]);
  const behind = useCallback(
    (frame: Frame, layout: Layout) => {
      drawHeat(frame, layout, { x: contour.x, y: contour.y, values }, [low, high], colours);
    },
    [values, colours],
  );
  const front = useCallback(
    (frame: Frame, layout: Layout) => {
      frame.g.restore(); // The legend lies outside of the data's place.
      drawLegend(frame, layout, linearScale(low, high > low ? high : low + 1, layout.area.bottom, layout.area.top, 40), colours);
      frame.g.save();
    },
    [values, colours],
  );
  const best = values.indexOf(shown === 'mean' && maximize ? high : low);
  const text = (at: number, labels: readonly string[], numbers: readonly number[]) => labels[at] ?? formatNumber(numbers[at]!, 3);
  const whole = (parameter: Parameter, numbers: readonly number[]) => (parameter.type === 'INTEGER' ? numbers.map(Math.round) : numbers);
  const bestX = text(best % contour.x.length, contour.xLabels, whole(first, contour.x));
  const bestY = text(Math.floor(best / contour.x.length), contour.yLabels, whole(second, contour.y));
  const words =
    shown === 'mean'
      ? `The model expects the best ${info.metric}, ${formatNumber(values[best]!, 3)}, at ${contour.first} ${bestX} and ${contour.second} ${bestY}.`
      : `The model is surest at ${contour.first} ${bestX} and ${contour.second} ${bestY}.`;
  return (
    <PointsPlot
      name={`${info.id}-contour-${contour.first}-${contour.second}`}
      title={shown === 'mean' ? `Expected ${info.metric}` : `Standard deviation of the expected ${info.metric}`}
      label={words}
      height={Math.round(Math.min(620, Math.max(320, window.innerHeight * 0.55)))}
      right={72}
      outlined
      points={data}
      x={x}
      y={y}
      behind={behind}
      front={front}
      tooltip={(row) => trialTip(study, info, row)}
      table={() => ({
        head: [contour.first, contour.second, 'expected', 'deviation'],
        rows: contour.mean.map((mean, at) => [
          contour.xLabels[at % contour.x.length] ?? contour.x[at % contour.x.length]!,
          contour.yLabels[Math.floor(at / contour.x.length)] ?? contour.y[Math.floor(at / contour.x.length)]!,
          mean,
          contour.deviation[at]!,
        ]),
      })}
    >
      <p class="note">{words}</p>
      <PointNotes points={points} />
    </PointsPlot>
  );
}

function Choosers(props: { info: StudyInfo; first: string; second: string }) {
  const choose = (x: string, y: string) => setQuery({ x, y });
  const select = (id: string, label: string, value: string, other: string, onPick: (name: string) => void) => (
    <span class="inline-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {props.info.space.map(({ name }) => (
          <option value={name} disabled={name === other}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
  return (
    <>
      {select('contour-x', 'Across', props.first, props.second, (name) => choose(name, props.second))}
      {select('contour-y', 'Up', props.second, props.first, (name) => choose(props.first, name))}
    </>
  );
}

export function ContoursTab(props: TabProps) {
  const { info } = props;
  const [shown, setShown] = useState<Shown>('mean');
  const { x, y } = route.value.query;
  const isKnown = (name: string | undefined) => info.space.some((each) => each.name === name);
  const pair = isKnown(x) && isKnown(y) && x !== y ? ([x!, y!] as const) : undefined;
  if (info.space.length < 2) return <Empty title="A contour needs two parameters" />;
  const tools = (first: string, second: string) => (
    <div class="tab-tools">
      <h2 class="off-screen">Contours</h2>
      <Choosers info={info} first={first} second={second} />
      <Choice
        label="What the colours say"
        value={shown}
        options={[
          { value: 'mean', text: 'Expected' },
          { value: 'deviation', text: 'Uncertainty' },
        ]}
        onChange={setShown}
      />
    </div>
  );
  return (
    <WithInsights info={info} pair={pair}>
      {(insights: Insights) => {
        const contour = insights.contours[0];
        const first = pair?.[0] ?? contour?.first ?? info.space[0]!.name;
        const second = pair?.[1] ?? contour?.second ?? info.space[1]!.name;
        return (
          <>
            {tools(first, second)}
            {contour ? (
              <section class="panel">
                <ContourPlot {...props} contour={contour} shown={shown} maximize={insights.goal === 'MAXIMIZE'} />
              </section>
            ) : (
              <Empty title="There is no contour of these two">One of the parameters may be inactive where the model expects most.</Empty>
            )}
          </>
        );
      }}
    </WithInsights>
  );
}
