// One study: what it is, its trials, and which of them the filter selects.
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { asError, getColumns, getJson, studyPath, type ApiError } from '../api';
import { computeMask, type Mask } from '../filter';
import { changesUnseen, kLookAgain } from '../job_state';
import { onChange } from '../live';
import type { Goal, StudyInfo } from '../types';
import { brushes, filterText } from './filter_state';
import { Refresher } from './refresher';
import { bestSoFar, TrialTable } from './trial_table';

/** Studies that were left stay in memory, so that going back shows them at once. */
const kKeptStudies = 3;

export class Study {
  readonly info = signal<StudyInfo | null>(null);
  readonly error = signal<ApiError | null>(null);
  /** Read `version` to depend on it; the table itself is no signal. */
  readonly table = new TrialTable();
  readonly version = signal(0);
  /** True once trials have come. */
  readonly isLoaded = signal(false);
  readonly filterError = signal<string>('');
  watchers = 0;
  isStale = true;

  private readonly filterIds = signal<ReadonlySet<number> | null>(null);
  private filterRun = 0;
  /** The service has refused it, so it is not asked again. */
  private wrongFilter = '';
  private readonly refresher = new Refresher(
    () => this.load(),
    () => (this.table.rows > 20_000 ? 1500 : 500),
  );

  /** The rows that the filter selects. */
  readonly mask: ReadonlySignal<Mask> = computed(() => {
    this.version.value;
    return computeMask(this.table, brushes.value, this.filterIds.value);
  });

  /** The best value up to each row. */
  readonly best: ReadonlySignal<Float64Array> = computed(() => {
    this.version.value;
    return bestSoFar(this.table.column('value'), this.table.numbers('mayBeBest'), this.goal());
  });

  constructor(readonly id: string) {}

  goal(): Goal {
    return this.info.value?.goal ?? 'MINIMIZE';
  }

  refresh(): void {
    this.isStale = true;
    this.refresher.ask();
  }

  private async load(): Promise<void> {
    const { table } = this;
    const since = this.isLoaded.peek() ? table.sequence : null;
    try {
      const [info, columns] = await Promise.all([
        getJson<StudyInfo>(studyPath(this.id)),
        getColumns(studyPath(this.id, 'trials', { since })),
      ]);
      batch(() => {
        table.setSpace(info.space);
        const changed = table.merge(columns);
        this.info.value = info;
        this.error.value = null;
        this.isLoaded.value = true;
        if (changed === 'all' || changed.length) this.version.value++;
      });
      this.isStale = false;
      if (filterText.peek() && filterText.peek() !== this.wrongFilter) void this.select(filterText.peek());
    } catch (error) {
      this.error.value = asError(error);
    }
  }

  /** Asks the service which trials `text` selects; '' selects all. */
  async select(text: string): Promise<void> {
    const run = ++this.filterRun;
    if (!text) {
      batch(() => {
        this.filterIds.value = null;
        this.filterError.value = '';
      });
      return;
    }
    try {
      const answer = await getColumns(studyPath(this.id, 'select', { filter: text }));
      if (run !== this.filterRun) return;
      batch(() => {
        this.filterIds.value = new Set(answer.data.get('id') as Int32Array);
        this.filterError.value = '';
      });
    } catch (error) {
      if (run !== this.filterRun) return;
      const failure = asError(error);
      if (failure.code === 400) this.wrongFilter = text;
      this.filterError.value = failure.message;
    }
  }
}

const studies = new Map<string, Study>();

function studyOf(id: string): Study {
  let study = studies.get(id);
  if (study) {
    studies.delete(id); // The map's order is that of the last use.
  } else {
    study = new Study(id);
  }
  studies.set(id, study);
  for (const [other, { watchers }] of studies) {
    if (studies.size <= kKeptStudies) break;
    if (!watchers && other !== id) studies.delete(other); // A view that still has it keeps it.
  }
  return study;
}

onChange((change) => {
  for (const study of studies.values()) {
    if (change && !change.studies.includes(study.id) && !change.deleted.includes(study.id)) continue;
    if (study.watchers) study.refresh();
    else study.isStale = true;
  }
});

/** Several studies, loaded and kept fresh while the component is there; the filter is not theirs. */
export function useStudies(ids: readonly string[]): readonly Study[] {
  const key = ids.join('\n');
  const found = useMemo(() => ids.map(studyOf), [key]);
  useEffect(() => {
    for (const study of found) {
      ++study.watchers;
      if (study.isStale) study.refresh();
    }
    return () => found.forEach((study) => void --study.watchers);
  }, [found]);
  return found;
}

/** The study, loaded and kept fresh while the component is there. */
export function useStudy(id: string): Study {
  const study = useMemo(() => studyOf(id), [id]);
  useEffect(() => {
    ++study.watchers;
    if (study.isStale) study.refresh();
    const timer = setInterval(() => {
      const info = study.info.peek();
      if (info && changesUnseen(info)) study.refresh();
    }, kLookAgain);
    return () => {
      clearInterval(timer);
      --study.watchers;
    };
  }, [study]);
  const text = filterText.value;
  useEffect(() => void study.select(text), [study, text]);
  return study;
}
