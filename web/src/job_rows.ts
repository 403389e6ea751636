// The metrics and constraints of a new job as rows: read from the job that the
// service has understood, and written into the text that it was made of. The
// text stays what counts; of it, only the fields that changed are written anew. Pure.
import { flow } from './yaml';

export interface MetricRow {
  name: string;
  goal: 'MAXIMIZE' | 'MINIMIZE';
  /** As it was typed; '' for none. So are all numbers here: whether they are any, the service says. */
  reference: string;
}

export interface BoundRow {
  metric: string;
  min: string;
  max: string;
}

export interface JobRows {
  metrics: readonly MetricRow[];
  /** What the trials' outcomes must meet. */
  bounds: readonly BoundRow[];
  /** What the values of the parameters must meet together. */
  rules: readonly string[];
}

/** How many rows can be added by hand; a text may hold more. */
export const kMostRows = { metrics: 4, bounds: 16, rules: 64 } as const;

/** The name of a metric that a job file does not name. */
const kUsualMetric = 'training/hptuning/metric';

interface Job {
  trainingInput?: { hyperparameters?: { goal?: string; hyperparameterMetricTag?: string } };
  vernier?: {
    objectives?: { metric?: string; goal?: string; reference?: unknown }[];
    metricConstraints?: { metric?: string; min?: unknown; max?: unknown }[];
    parameterConstraints?: string[];
  };
}

const shown = (value: unknown) => (value === undefined || value === null ? '' : String(value));
const goalOf = (goal: unknown) => (goal === 'MINIMIZE' ? 'MINIMIZE' : 'MAXIMIZE');

/** The rows of a job; null for one that runs its program once and looks for nothing. */
export function rowsOf(job: Record<string, unknown>): JobRows | null {
  const { trainingInput, vernier = {} } = job as Job;
  const search = trainingInput?.hyperparameters;
  if (!search) return null;
  const metrics = (vernier.objectives ?? []).map(({ metric, goal, reference }) => ({ name: shown(metric), goal: goalOf(goal), reference: shown(reference) }) as const);
  return {
    metrics: metrics.length ? metrics : [{ name: search.hyperparameterMetricTag ?? kUsualMetric, goal: goalOf(search.goal), reference: '' }],
    bounds: (vernier.metricConstraints ?? []).map(({ metric, min, max }) => ({ metric: shown(metric), min: shown(min), max: shown(max) })),
    rules: vernier.parameterConstraints ?? [],
  };
}

// A row that was added and is still empty is not written. The first metric is, so that the service asks for its name.
const isWrittenMetric = ({ name }: MetricRow, i: number) => i === 0 || name.trim() !== '';
const isWrittenBound = ({ metric, min, max }: BoundRow) => (metric + min + max).trim() !== '';
const isWrittenRule = (rule: string) => rule.trim() !== '';

// A number stands as it was typed: 4e9 rather than 4000000000, and no digit is lost.
const number = (text: string) => (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text.trim()) ? text.trim() : flow(text.trim()));
const mapping = (parts: readonly (readonly [string, string])[]) => `{${parts.map(([key, value]) => `${flow(key)}: ${value}`).join(', ')}}`;
const given = (parts: readonly (readonly [string, string])[]) => parts.filter(([, text]) => text.trim() !== '').map(([key, text]) => [key, number(text)] as const);

const kWidth = 100;

type Field = readonly [path: readonly string[], text: string];

/** A list as a field of YAML; '' for an empty one, which needs no field. */
function list(path: readonly string[], items: readonly string[]): Field {
  return [path, items.length ? `${path[path.length - 1]}:\n${items.map((item) => '- ' + item).join('\n')}` : ''];
}

/** Each field that tells of the rows, and its text; '' for one that is left out. Those of a group are written together. */
function fieldsOf(rows: JobRows, isStudyFile: boolean): Field[][] {
  const metrics = rows.metrics.filter(isWrittenMetric).map((row) => ({ ...row, name: row.name.trim() }));
  const bounds = rows.bounds.filter(isWrittenBound).map(({ metric, min, max }) => mapping([['metric', flow(metric.trim())], ...given([['min', min], ['max', max]])]));
  const rules = rows.rules.filter(isWrittenRule).map((rule) => flow(rule.trim()));
  if (isStudyFile) {
    const parts = metrics.map(({ name, goal, reference }) => {
      const word = goal.toLowerCase();
      return [name, reference.trim() ? mapping([['goal', word], ...given([['reference', reference]])]) : word] as const;
    });
    const short = `metric: ${mapping(parts)}`;
    const metric = short.length < kWidth ? short : `metric:\n${parts.map(([name, value]) => `  ${flow(name)}: ${value}`).join('\n')}`;
    return [[[['metric'], metric]], [list(['constraints'], [...bounds, ...rules])]];
  }
  // A single metric has AI Platform's fields, unless it has a reference.
  const search = ['trainingInput', 'hyperparameters'];
  const one = metrics.length === 1 && !metrics[0]!.reference.trim() ? metrics[0]! : null;
  const objectives = metrics.map(({ name, goal, reference }) => mapping([['metric', flow(name)], ['goal', goal], ...given([['reference', reference]])]));
  return [
    [
      [[...search, 'goal'], one ? `goal: ${one.goal}` : ''],
      [[...search, 'hyperparameterMetricTag'], one ? `hyperparameterMetricTag: ${flow(one.name)}` : ''],
      list(['vernier', 'objectives'], one ? [] : objectives),
    ],
    [list(['vernier', 'metricConstraints'], bounds)],
    [list(['vernier', 'parameterConstraints'], rules)],
  ];
}

const isBlank = (line: string) => /^\s*(?:#.*)?$/.test(line);
const indentOf = (line: string) => /^ */.exec(line)![0].length;

/** How many brackets a line opens and does not close. */
function opened(line: string): number {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '').replace(/(^|\s)#.*/, '');
  return bare.split(/[[{]/).length - bare.split(/[\]}]/).length;
}

/** The last of the lines [from, to) that says something, and the one after it. */
function endOf(lines: readonly string[], from: number, to: number): number {
  while (to > from && isBlank(lines[to - 1]!)) --to;
  return to;
}

/** The lines of a field among those of [from, to); null if it is not there. */
function findField(lines: readonly string[], key: string, from: number, to: number, indent: number): [number, number] | null {
  const head = new RegExp(`^ {${indent}}(["']?)${key}\\1\\s*:(?=\\s|$)`);
  for (let at = from; at < to; ++at) {
    const line = lines[at]!;
    if (!head.test(line)) continue;
    const isFlow = /^["']*\s*:\s*[[{]/.test(line.replace(key, '').trimStart());
    let depth = isFlow ? opened(line) : 0;
    let end = at + 1;
    for (; end < to; ++end) {
      const next = lines[end]!;
      const isInside = isBlank(next) || indentOf(next) > indent || (indentOf(next) === indent && /^ *-(?:\s|$)/.test(next));
      if (depth <= 0 && !isInside) break;
      if (isFlow) depth += opened(next);
    }
    return [at, endOf(lines, at + 1, end)];
  }
  return null;
}

interface Place {
  /** The field's lines; none where it is not there and would be put. */
  at: number;
  end: number;
  indent: number;
  /** Fields around it that are not there either. */
  missing: readonly string[];
}

/** Null where something around the field is written within braces. */
function placeOf(lines: readonly string[], path: readonly string[]): Place | null {
  let [from, to, indent] = [0, lines.length, 0];
  for (const [i, key] of path.entries()) {
    const found = findField(lines, key, from, to, indent);
    if (!found) {
      // Constraints stand below the metric.
      const other = key === 'constraints' ? findField(lines, 'metric', from, to, indent) : null;
      const at = other ? other[1] : endOf(lines, from, to);
      return { at, end: at, indent, missing: path.slice(i, -1) };
    }
    if (i === path.length - 1) return { at: found[0], end: found[1], indent, missing: [] };
    if (!/:\s*(?:#.*)?$/.test(lines[found[0]]!)) return null;
    [from, to] = [found[0] + 1, found[1]];
    const first = lines.slice(from, to).find((line) => !isBlank(line));
    indent = first ? indentOf(first) : indent + 2;
  }
  return null;
}

function linesOf(text: string): { lines: string[]; isStudyFile: boolean } | null {
  // JSON, or YAML that is written like it, has no lines to put fields into.
  if (/^\s*[[{]/.test(text)) return null;
  const lines = text.split('\n');
  return { lines, isStudyFile: lines.some((line) => /^(["']?)(?:run|parameters)\1\s*:/.test(line)) };
}

const kNothing: JobRows = { metrics: [{ name: '', goal: 'MINIMIZE', reference: '' }], bounds: [], rules: [] };

/** What the text says of the rows, to see whether it has changed; null if rows cannot be written into it. */
export function rowsText(text: string): string | null {
  const parts = linesOf(text);
  if (!parts) return null;
  const blocks = fieldsOf(kNothing, parts.isStudyFile).flat().map(([path]) => {
    const place = placeOf(parts.lines, path);
    return place && parts.lines.slice(place.at, place.end).join('\n');
  });
  return blocks.includes(null) ? null : blocks.join('\n\n');
}

/** The text with other rows, if they can be written into it. What the change does not touch stays as it was typed. */
export function withRows(text: string, before: JobRows, after: JobRows): string {
  const parts = linesOf(text);
  if (!parts || rowsText(text) === null) return text;
  const { lines, isStudyFile } = parts;
  const old = fieldsOf(before, isStudyFile);
  const changed = fieldsOf(after, isStudyFile).filter((group, i) => group.some(([, field], j) => field !== old[i]![j]![1]));
  for (const [path, field] of changed.flat()) {
    const { at, end, indent, missing } = placeOf(lines, path)!;
    if (!field && at === end) continue;
    const around = missing.map((key, depth) => ' '.repeat(indent + 2 * depth) + key + ':');
    const inner = field ? field.split('\n').map((line) => ' '.repeat(indent + 2 * missing.length) + line) : [];
    lines.splice(at, end - at, ...around, ...inner);
  }
  return lines.join('\n');
}

export interface RowProblems {
  metrics: string[];
  bounds: string[];
  rules: string[];
}

/** For each row what the service says of it; '' if that is nothing. */
export function rowProblems(rows: JobRows, problems: readonly { field: string; message: string }[]): RowProblems {
  const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const join = (matches: (problem: { field: string; message: string }) => string | null) =>
    problems.map(matches).filter(Boolean).map((text) => sentence(text!)).join('. ');
  // "reference must be ...": the last word tells which of a row's fields is meant.
  const within = ({ field, message }: { field: string; message: string }, stems: readonly string[]) => {
    for (const stem of stems) {
      if (field === stem) return message;
      const word = field.startsWith(stem + '.') ? field.slice(stem.length + 1) : '';
      if (/^(?:metric|goal|reference|min|max)$/.test(word)) return `${word} ${message}`;
    }
    return null;
  };
  // The service counts the rows that were written.
  const numbered = <T>(all: readonly T[], isWritten: (row: T, i: number) => boolean, say: (row: T, k: number) => string) => {
    let k = 0;
    return all.map((row, i) => (isWritten(row, i) ? say(row, k++) : ''));
  };
  const search = 'trainingInput.hyperparameters.';
  return {
    metrics: numbered(rows.metrics, isWrittenMetric, ({ name }, k) => {
      const stems = [`metric.${name.trim()}`, `vernier.objectives[${k}]`, ...(k === 0 ? ['metric', search + 'goal', search + 'hyperparameterMetricTag'] : [])];
      return join((problem) => within(problem, stems));
    }),
    bounds: numbered(rows.bounds, isWrittenBound, (_, k) => join((problem) => within(problem, [`constraints[${k}]`, `vernier.metricConstraints[${k}]`]))),
    rules: numbered(rows.rules, isWrittenRule, (rule) => {
      const text = rule.trim();
      return join(({ field, message }) => {
        if (!/^(?:constraints|vernier\.parameterConstraints)$/.test(field)) return null;
        const start = `constraint "${text}"`;
        if (message.startsWith(start)) return message.slice(start.length).replace(/^[,:]\s*/, '');
        // Of a long one, the service names the beginning.
        return text.length > 80 && message.startsWith(`constraint "${text.slice(0, 40)}`) ? message : null;
      });
    }),
  };
}
