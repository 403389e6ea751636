// The text that a new job begins with. Pure.
import { plural } from './format';
import { rowsOf } from './job_rows';
import { toYaml } from './yaml';

export const kExample = `name: my_study
run: python3 train.py
code: /the/folder/of/train.py
metric: {loss: minimize}
parameters:
  lr: {log: [1e-5, 0.1]}
  layers: {int: [1, 8]}
  optimizer: {choice: [adam, sgd]}
trials: 20
parallel: 2
`;

/** digits -> digits_2, digits_7 -> digits_8, as far as these are free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const match = /^(.*?)_(\d{1,6})$/.exec(name);
  const stem = match ? match[1]! : name;
  for (let number = match ? Number(match[2]) + 1 : 2; ; ++number) {
    const next = `${stem}_${number}`;
    if (!taken.has(next)) return next;
  }
}

/** The job of a JSON text under another name. */
export function copyOfSpec(spec: string, name: string): string {
  const { jobId: _, ...rest } = JSON.parse(spec) as Record<string, unknown>;
  // What the service has added is not the new job's.
  for (const field of ['codeNotes', 'secretNames', 'secretsFile']) delete (rest.vernier as Record<string, unknown> | undefined)?.[field];
  return toYaml({ jobId: name, ...rest });
}

const kMostNames = 4;

/** What a job will do, in a sentence. */
export function summaryOf(job: Record<string, unknown>): string {
  const { hyperparameters: search } = (job.trainingInput ?? {}) as { hyperparameters?: { maxTrials?: number; maxParallelTrials?: number; params?: unknown[] } };
  const rows = rowsOf(job);
  if (!search || !rows) return 'The job runs its program once.';
  const does = rows.metrics.slice(0, kMostNames).map(({ name, goal }) => `${goal === 'MAXIMIZE' ? 'maximizes' : 'minimizes'} ${name}`);
  if (rows.metrics.length > kMostNames) does.push(plural(rows.metrics.length - kMostNames, 'other metric'));
  const all = does.length < 2 ? does[0]! : `${does.slice(0, -1).join(', ')} and ${does[does.length - 1]!}`;
  const constraints = rows.bounds.length + rows.rules.length;
  const under = constraints ? ` under ${plural(constraints, 'constraint')}` : '';
  return `The job ${all} over ${plural(search.params?.length ?? 0, 'parameter')}${under}, with ${plural(search.maxTrials ?? 1, 'trial')}, ${search.maxParallelTrials ?? 1} at once.`;
}
