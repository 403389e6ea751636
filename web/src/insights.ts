// What GetInsights answers, with defaults filled in, and what of it is said in words. Pure.
import { formatNumber, formatShare } from './format';
import type * as messages from './messages';
import type { Double } from './messages';
import type { Goal } from './types';

export interface Share {
  parameter: string;
  share: number;
  low: number;
  high: number;
}

export interface Slice {
  parameter: string;
  x: number[];
  labels: string[];
  mean: number[];
  low: number[];
  high: number[];
}

export interface Contour {
  first: string;
  second: string;
  x: number[];
  y: number[];
  xLabels: string[];
  yLabels: string[];
  /** Entry j * x.length + i is of x[i] and y[j]. */
  mean: number[];
  deviation: number[];
}

export interface Prediction {
  mean: number;
  low: number;
  high: number;
}

export interface Insights {
  observationCount: number;
  hasModel: boolean;
  reason: string;
  importance: Share[];
  interactions: { first: string; second: string; share: number }[];
  slices: Slice[];
  contours: Contour[];
  calibration: { trials: number[]; observed: number[]; mean: number[]; low: number[]; high: number[]; coverage: number; logScore: number };
  predictedBest: { parameters: { name: string; value: string }[]; prediction: Prediction | null };
  expectedGain: number;
  improvementProbability: number;
  advice: { parameter: string; kind: string; text: string }[];
  metric: string;
  goal: Goal;
  /** Of several metrics: sentences about the trials beside the most balanced one. */
  tradeOffs: string[];
  /** Of several metrics: the trials that widened the front, and its hypervolume then. */
  frontGrowth: { trials: number[]; hypervolume: number[] };
  /** How trials died, and where: sentences for each kind of failure. Also without a model. */
  failures: string[];
}

const number = (value: Double | undefined): number => Number(value ?? 0);
const numbers = (values: Double[] | undefined): number[] => (values ?? []).map(Number);

/** proto3 JSON leaves out what is 0 or empty; numbers that JSON has not are texts. */
export function readPrediction(value: messages.Prediction | undefined): Prediction | null {
  return value ? { mean: number(value.mean), low: number(value.low), high: number(value.high) } : null;
}

export function readInsights(raw: messages.Insights, goal: Goal): Insights {
  const { calibration = {}, predictedBest = {}, frontGrowth = {} } = raw;
  return {
    observationCount: number(raw.observationCount),
    hasModel: raw.hasModel ?? false,
    reason: raw.reason ?? '',
    importance: (raw.importance ?? []).map(({ parameter = '', share, low, high }) => ({
      parameter, share: number(share), low: number(low), high: number(high),
    })),
    interactions: (raw.interactions ?? []).map(({ first = '', second = '', share }) => ({ first, second, share: number(share) })),
    slices: (raw.slices ?? []).map(({ parameter = '', labels = [], x, mean, low, high }) => ({
      parameter, x: numbers(x), labels, mean: numbers(mean), low: numbers(low), high: numbers(high),
    })),
    contours: (raw.contours ?? []).map(({ first = '', second = '', xLabels = [], yLabels = [], x, y, mean, deviation }) => ({
      first, second, x: numbers(x), y: numbers(y), xLabels, yLabels, mean: numbers(mean), deviation: numbers(deviation),
    })),
    calibration: {
      trials: numbers(calibration.trials), observed: numbers(calibration.observed), mean: numbers(calibration.mean),
      low: numbers(calibration.low), high: numbers(calibration.high),
      coverage: number(calibration.coverage), logScore: number(calibration.logScore),
    },
    predictedBest: {
      parameters: (predictedBest.parameters ?? []).map(({ name = '', value = '' }) => ({ name, value })),
      prediction: readPrediction(predictedBest.prediction),
    },
    expectedGain: number(raw.expectedGain),
    improvementProbability: number(raw.improvementProbability),
    advice: (raw.advice ?? []).map(({ parameter = '', kind = '', text = '' }) => ({ parameter, kind, text })),
    metric: raw.metric ?? '',
    goal: raw.goal === 'MAXIMIZE' || raw.goal === 'MINIMIZE' ? raw.goal : goal,
    tradeOffs: raw.tradeOffs ?? [],
    frontGrowth: { trials: numbers(frontGrowth.trials), hypervolume: numbers(frontGrowth.hypervolume) },
    failures: (raw.failures ?? []).map(({ text = '' }) => text),
  };
}

/** Whether the model's bands are as wide as they should be. */
export function coverageText(coverage: number, count: number): string {
  // Two standard errors of a share of 0.68.
  const slack = 2 * Math.sqrt((0.68 * 0.32) / Math.max(1, count));
  const verdict =
    coverage < 0.68 - slack
      ? 'The model is surer than it should be: rely less on its bands.'
      : coverage > 0.68 + slack
        ? 'The model is less sure than it could be: its bands are wider than needed.'
        : 'The bands are as wide as they should be.';
  return `${formatShare(coverage)} of ${count} results lie within one standard deviation of what the model of all others predicts; 68\u202f% would be right. ${verdict}`;
}

/** How the front came to be; empty where nothing is known of it. */
export function growthText({ frontGrowth: { trials, hypervolume } }: Insights): string {
  const last = hypervolume.at(-1);
  if (last === undefined) return '';
  const nearly = trials[hypervolume.findIndex((volume) => volume >= 0.95 * last)];
  return `The hypervolume of the front is ${formatNumber(last)}; trial ${trials.at(-1)} was the last to widen it, and 95\u202f% of it were there with trial ${nearly}.`;
}

/** What the next trial promises. */
export function promiseText(insights: Insights): string {
  const { expectedGain: gain, improvementProbability: chance } = insights;
  if (!(chance > 0) && !(gain > 0)) return 'The model expects no more from further trials.';
  return `The next trial improves the best ${insights.metric || 'value'} with a probability of ${formatShare(chance)}, and by ${formatNumber(gain, 2)} on average.`;
}

/**
 * The range to draw: all values, unless a few lie so far off that the others
 * would be a line. Those `beyond` are at the edge.
 */
export function focusRange(values: ArrayLike<number>): { low: number; high: number; beyond: number } | null {
  const sorted = Float64Array.from(values as ArrayLike<number>).filter(Number.isFinite).sort();
  const n = sorted.length;
  if (n === 0) return null;
  let low = sorted[0]!;
  let high = sorted[n - 1]!;
  const q = (share: number) => sorted[Math.min(n - 1, Math.floor(share * n))]!;
  const span = q(0.9) - q(0.1);
  if (n >= 10 && span > 0) {
    const limit = 3 * span;
    if (high > q(0.9) + limit) high = sorted[sorted.filter((value) => value <= q(0.9) + limit).length - 1]!;
    if (low < q(0.1) - limit) low = sorted.find((value) => value >= q(0.1) - limit)!;
  }
  let beyond = 0;
  for (const value of sorted) if (value < low || value > high) ++beyond;
  return { low, high, beyond };
}
