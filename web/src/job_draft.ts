// The text that a new job begins with. Pure.
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
