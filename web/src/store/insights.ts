// What the model says of a study, fetched again when there are more results.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asError, rpc, type ApiError } from '../api';
import { readInsights, type Insights } from '../insights';
import type { StudyInfo } from '../types';
import { Refresher } from './refresher';

const kKept = 12;

class InsightStore {
  readonly insights = signal<Insights | null>(null);
  readonly error = signal<ApiError | null>(null);
  /** Results at the time of the last answer. */
  private seen = -1;
  private wanted = 0;
  private readonly refresher = new Refresher(() => this.load(), () => 5000);

  constructor(
    private readonly info: StudyInfo,
    private readonly pairs: readonly [string, string][],
    private readonly metric: string,
  ) {}

  /** `results` differs when there is something new to learn from. */
  refresh(results: number): void {
    this.wanted = results;
    if (results !== this.seen || this.error.peek()) this.refresher.ask();
  }

  private async load(): Promise<void> {
    const results = this.wanted;
    try {
      const raw = await rpc('StudyService', 'GetInsights', {
        study: this.info.id,
        metric: this.metric,
        contours: this.pairs.map(([first, second]) => ({ first, second })),
      });
      this.insights.value = readInsights(raw, this.info.goal);
      this.error.value = null;
      this.seen = results;
    } catch (error) {
      this.error.value = asError(error);
    }
  }
}

const stores = new Map<string, InsightStore>();

/**
 * The insights, fresh while the component is there. `pair`: parameters of a contour; without them the most important two.
 * `metric`: one of several; without, the first.
 */
export function useInsights(info: StudyInfo, pair?: readonly [string, string], metric = ''): InsightStore {
  const key = [info.id, metric, ...(pair ?? [])].join('\n');
  let store = stores.get(key);
  if (!store) {
    store = new InsightStore(info, pair ? [[pair[0], pair[1]]] : [], metric);
    stores.set(key, store);
    if (stores.size > kKept) stores.delete(stores.keys().next().value!);
  }
  const now = store;
  const { completed, stopped, total } = info.counts;
  const results = completed + stopped * 1e6 + (total ? 0.5 : 0);
  useEffect(() => now.refresh(results), [now, results]);
  return now;
}
