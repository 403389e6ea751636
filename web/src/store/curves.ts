// Learning curves of a study, by metric, merged by trial.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { asError, getColumns, studyPath, type ApiError } from '../api';
import type { Columns } from '../columns';
import { Refresher } from './refresher';
import type { Study } from './study';

export interface Curve {
  trial: number;
  step: Float64Array;
  value: Float32Array;
}

const kPoints = 400;

export function splitCurves(block: Columns): Curve[] {
  const trial = block.data.get('trial')!;
  const start = block.data.get('start')!;
  const step = block.data.get('step') as Float64Array;
  const value = block.data.get('value') as Float32Array;
  return Array.from(trial, (id, i) => ({
    trial: id,
    step: step.subarray(start[i]!, start[i + 1]!),
    value: value.subarray(start[i]!, start[i + 1]!),
  }));
}

export class Curves {
  readonly curves = new Map<number, Curve>();
  readonly version = signal(0);
  readonly isLoaded = signal(false);
  readonly error = signal<ApiError | null>(null);
  private sequence = 0;
  private readonly refresher = new Refresher(() => this.load(), () => 1000);

  /** `trials` empty: those that the service chooses. */
  constructor(
    private readonly study: string,
    private readonly metric: string,
    private readonly trials: readonly number[],
  ) {}

  refresh(): void {
    this.refresher.ask();
  }

  private async load(): Promise<void> {
    try {
      const block = await getColumns(
        studyPath(this.study, 'curves', {
          metric: this.metric,
          points: kPoints,
          trials: this.trials.join(','),
          since: this.sequence || null,
        }),
      );
      if (block.header.full) this.curves.clear();
      for (const curve of splitCurves(block)) this.curves.set(curve.trial, curve);
      this.sequence = block.header.sequence;
      this.error.value = null;
      this.isLoaded.value = true;
      this.version.value++;
    } catch (error) {
      this.error.value = asError(error);
    }
  }
}

/** Curves of one metric, fresh while the component is there. */
export function useCurves(study: Study, metric: string, trials: readonly number[] = []): Curves {
  const key = trials.join(',');
  const curves = useMemo(() => new Curves(study.id, metric, trials), [study.id, metric, key]);
  const version = study.version.value;
  useEffect(() => {
    if (metric) curves.refresh();
  }, [curves, version]);
  return curves;
}
