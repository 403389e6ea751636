// What GetInsights answers, with defaults filled in, and what of it is said in words. Pure.
import { formatNumber, formatShare } from './format';
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
}

type Raw = Record<string, unknown>;

const number = (value: unknown): number => (value === undefined || value === null ? 0 : Number(value));
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): Raw[] => (Array.isArray(value) ? (value as Raw[]) : []);
const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** proto3 JSON leaves out what is 0 or empty; numbers that JSON has not are texts. */
export function readPrediction(value: unknown): Prediction | null {
  if (!value) return null;
  const raw = value as Raw;
  return { mean: number(raw.mean), low: number(raw.low), high: number(raw.high) };
}

export function readInsights(raw: Raw, goal: Goal): Insights {
  const calibration = (raw.calibration ?? {}) as Raw;
  const best = (raw.predictedBest ?? {}) as Raw;
  const growth = (raw.frontGrowth ?? {}) as Raw;
  return {
    observationCount: number(raw.observationCount),
    hasModel: raw.hasModel === true,
    reason: text(raw.reason),
    importance: list(raw.importance).map((each) => ({
      parameter: text(each.parameter), share: number(each.share), low: number(each.low), high: number(each.high),
    })),
    interactions: list(raw.interactions).map((each) => ({ first: text(each.first), second: text(each.second), share: number(each.share) })),
    slices: list(raw.slices).map((each) => ({
      parameter: text(each.parameter), x: numbers(each.x), labels: texts(each.labels),
      mean: numbers(each.mean), low: numbers(each.low), high: numbers(each.high),
    })),
    contours: list(raw.contours).map((each) => ({
      first: text(each.first), second: text(each.second), x: numbers(each.x), y: numbers(each.y),
      xLabels: texts(each.xLabels), yLabels: texts(each.yLabels), mean: numbers(each.mean), deviation: numbers(each.deviation),
    })),
    calibration: {
      trials: numbers(calibration.trials), observed: numbers(calibration.observed), mean: numbers(calibration.mean),
      low: numbers(calibration.low), high: numbers(calibration.high),
      coverage: number(calibration.coverage), logScore: number(calibration.logScore),
    },
    predictedBest: {
      parameters: list(best.parameters).map((each) => ({ name: text(each.name), value: text(each.value) })),
      prediction: readPrediction(best.prediction),
    },
    expectedGain: number(raw.expectedGain),
    improvementProbability: number(raw.improvementProbability),
    advice: list(raw.advice).map((each) => ({ parameter: text(each.parameter), kind: text(each.kind), text: text(each.text) })),
    metric: text(raw.metric),
    goal: raw.goal === 'MAXIMIZE' || raw.goal === 'MINIMIZE' ? raw.goal : goal,
    tradeOffs: texts(raw.tradeOffs),
    frontGrowth: { trials: numbers(growth.trials), hypervolume: numbers(growth.hypervolume) },
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
