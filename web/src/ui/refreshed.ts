// What a view loads, again and again while it is shown.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { asError, type ApiError } from '../api';
import { Refresher } from '../store/refresher';

/** What `load` returned last, and the error of the last load; `ask` loads again, `pause` ms after the
 * last at the earliest. `inputs`: what `load` depends on, as of useMemo. */
export function useRefreshed<Value>(load: () => Promise<Value>, pause: number, inputs: readonly unknown[]) {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const refresher = useMemo(() => {
    const mine: Refresher = new Refresher(
      async () => {
        try {
          const loaded = await load();
          if (mine.isStopped) return;
          setValue(loaded);
          setError(null);
        } catch (caught) {
          if (!mine.isStopped) setError(asError(caught));
        }
      },
      () => pause,
    );
    return mine;
  }, inputs);
  useEffect(() => () => refresher.stop(), [refresher]);
  const ask = useMemo(() => () => refresher.ask(), [refresher]);
  return { value, error, ask };
}
