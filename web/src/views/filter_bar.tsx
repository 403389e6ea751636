// The filter that holds for every view of the study, and the trials that were picked.
import { useEffect, useState } from 'preact/hooks';
import { cliFilter, type Brush } from '../filter';
import { formatCount, formatNumber, formatTime, shellWord } from '../format';
import { href } from '../router';
import { brushes, clearFilter, filterText, selection, setBrush, setFilterText, setSelection } from '../store/filter_state';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Button } from '../ui/button';
import { Command } from '../ui/command';
import { Dialog } from '../ui/dialog';
import { columnTitle } from './columns_of';

function brushText(brush: Brush, isTime: boolean): string {
  if (brush.kind === 'set') return brush.labels.join(', ');
  const text = (value: number) => (isTime ? formatTime(value) : formatNumber(value, 4));
  if (!Number.isFinite(brush.low)) return `≤ ${text(brush.high)}`;
  if (!Number.isFinite(brush.high)) return `≥ ${text(brush.low)}`;
  return `${text(brush.low)} … ${text(brush.high)}`;
}

export function FilterBar({ study, info }: { study: Study; info: StudyInfo }) {
  const [text, setText] = useState(filterText.value);
  const [isCommandShown, showCommand] = useState(false);
  useEffect(() => setText(filterText.value), [filterText.value]);
  const mask = study.mask.value;
  study.version.value;
  const isFiltered = mask.bits !== null || study.filterError.value !== '';
  const picked = selection.value;
  const problem = study.filterError.value;
  const cli = cliFilter(brushes.value, filterText.value);
  return (
    <div class="filter-bar">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilterText(text);
        }}
      >
        <input
          id="filter"
          type="search"
          class="filter-text"
          aria-label="Filter of trials"
          aria-invalid={!!problem}
          aria-describedby={problem ? 'filter-problem' : undefined}
          placeholder={`Filter trials: state=completed AND ${info.space.find(({ type }) => type === 'DOUBLE')?.name ?? 'objective'}<0.01`}
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            if (event.currentTarget.value === '') setFilterText('');
          }}
          onBlur={() => setFilterText(text)}
        />
      </form>
      {[...brushes.value].map(([column, brush]) => (
        <span class="chip" key={column}>
          <span>
            <span class="muted">{columnTitle(column, info)}</span> {brushText(brush, column === 'started' || column === 'ended' || column === 'created')}
          </span>
          <Button kind="quiet" icon="close" label={`Remove the filter of ${columnTitle(column, info)}`} onClick={() => setBrush(column, null)} />
        </span>
      ))}
      <span class="filter-count" role="status">
        {isFiltered ? `${formatCount(mask.count)} of ${formatCount(study.table.rows)} trials` : ''}
      </span>
      {isFiltered && (
        <>
          <Button kind="quiet" onClick={clearFilter}>
            Clear
          </Button>
          {cli && (
            <Button kind="quiet" onClick={() => showCommand(true)}>
              As a command
            </Button>
          )}
        </>
      )}
      {picked.length > 0 && (
        <span class="picked">
          {picked.length === 1 ? `Trial ${picked[0]} is picked` : `${picked.length} trials are picked`}
          {picked.length > 1 && <a href={href({ view: 'compare', study: study.id })}>Compare</a>}
          <Button kind="quiet" icon="close" label="Pick none" onClick={() => setSelection([])} />
        </span>
      )}
      {problem && (
        <p class="error-line filter-problem" id="filter-problem" role="alert">
          {problem}
        </p>
      )}
      {isFiltered && !problem && mask.count === 0 && (
        <p class="filter-none" role="alert">
          No trial fits the filter{filterText.value && <code> {filterText.value}</code>}. Change it, or{' '}
          <button type="button" class="link" onClick={clearFilter}>
            show all {formatCount(study.table.rows)} trials
          </button>
          .
        </p>
      )}
      {isCommandShown && (
        <Dialog title="The same trials on the command line" onClose={() => showCommand(false)}>
          <div class="dialog-body">
            <Command text={`vernier trials list ${shellWord(study.id)} --filter ${shellWord(cli)}`} />
          </div>
        </Dialog>
      )}
    </div>
  );
}
