// How well the model predicts results that it has not seen.
import { useCallback, useMemo, useState } from 'preact/hooks';
import { coverageText, focusRange, type Insights } from '../insights';
import { formatNumber } from '../format';
import type { Frame } from '../plots/axes';
import { PointsPlot, type Layout } from '../plots/points_plot';
import { linearScale, logScale, padded } from '../plots/scale';
import { Toggle } from '../ui/button';
import { toneOf, trialTip, WithInsights } from './insight_parts';
import type { TabProps } from './tab_props';

function Calibration({ study, info, insights }: TabProps & { insights: Insights }) {
  const { calibration } = insights;
  const canLog = Math.min(...calibration.observed, ...calibration.mean) > 0;
  const [isWanted, setLog] = useState(false);
  const isLog = isWanted && canLog;
  const mask = study.mask.value;
  const version = study.version.value;
  const data = useMemo(() => {
    const rows = calibration.trials.map((trial) => study.table.rowOf(trial));
    const range = focusRange([...calibration.observed, ...calibration.mean]);
    const isMax = insights.goal === 'MAXIMIZE';
    return {
      range,
      points: {
        // Of a trial that is not in the table yet there is no row; the point's index stands for it.
        row: calibration.trials.map((_, i) => i),
        x: calibration.observed,
        y: calibration.mean,
        bright: rows.map((row) => (row < 0 || !mask.bits ? 1 : mask.bits[row]!)),
        tone: calibration.observed.map((value) => toneOf(value, range, isMax)),
      },
    };
  }, [calibration, mask, version]);
  const scale = useMemo(() => {
    const [low, high] = padded(data.range ? [data.range.low, data.range.high] : [0, 1], 0.06, isLog);
    return (from: number, to: number) => (isLog ? logScale : linearScale)(low, high, from, to);
  }, [data.range?.low, data.range?.high, isLog]);
  const behind = useCallback(
    ({ g, palette }: Frame, { area, x, y }: Layout) => {
      g.strokeStyle = palette.muted;
      g.lineWidth = 1;
      g.setLineDash([4, 4]);
      const [low, high] = [x.value(area.left), x.value(area.right)];
      g.beginPath();
      g.moveTo(x.place(low), y.place(low));
      g.lineTo(x.place(high), y.place(high));
      g.stroke();
      g.setLineDash([]);
      g.strokeStyle = palette.dim;
      for (const isBright of [0, 1]) {
        g.globalAlpha = isBright ? 1 : 0.3;
        g.beginPath();
        calibration.observed.forEach((value, i) => {
          if (!data.points.bright[i] === !!isBright) return;
          // On a log axis what ends below 0 goes on to the edge.
          const bottom = y.place(calibration.low[i]!);
          g.moveTo(x.place(value), Number.isNaN(bottom) ? area.bottom : bottom);
          g.lineTo(x.place(value), y.place(calibration.high[i]!));
        });
        g.stroke();
      }
      g.globalAlpha = 1;
    },
    [data, isLog],
  );
  const words = coverageText(calibration.coverage, calibration.trials.length);
  return (
    <section class="panel calibration">
      <h2 class="off-screen">Calibration</h2>
      <PointsPlot
        name={`${info.id}-calibration`}
        title="Predicted against got"
        label={`Calibration of the model. ${words}`}
        height={480}
        points={data.points}
        x={{ title: `got: ${insights.metric || info.metric}`, scale, column: 'value' }}
        y={{ title: 'predicted from all other results', scale }}
        behind={behind}
        tools={canLog && <Toggle text="Log" label="Log axes" on={isLog} onChange={setLog} />}
        tooltip={(i) => {
          const row = study.table.rowOf(calibration.trials[i]!);
          const predicted: [string, string] = [
            'predicted',
            `${formatNumber(calibration.mean[i]!, 4)} (${formatNumber(calibration.low[i]!, 4)} to ${formatNumber(calibration.high[i]!, 4)})`,
          ];
          return row < 0 ? { content: predicted.join(' '), text: predicted.join(' ') } : trialTip(study, info, row, [predicted]);
        }}
        table={() => ({
          head: ['trial', 'got', 'predicted', 'low', 'high'],
          rows: calibration.trials.map((trial, i) => [trial, calibration.observed[i]!, calibration.mean[i]!, calibration.low[i]!, calibration.high[i]!]),
        })}
      />
      <div>
        <p class="note">{words}</p>
        <p class="muted note">
          Each point is a result, beside what a model of all other results expects of it; the bar is one standard deviation. Points on the dashed line were
          predicted exactly. The mean logarithmic score is {formatNumber(calibration.logScore, 3)}; larger is better.
        </p>
      </div>
    </section>
  );
}

export function CalibrationTab(props: TabProps) {
  return (
    <WithInsights info={props.info}>{(insights) => <Calibration {...props} insights={insights} />}</WithInsights>
  );
}
