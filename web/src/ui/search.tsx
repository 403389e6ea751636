// Finds a job by its name, and goes there.
import { useState } from 'preact/hooks';
import { shownState } from '../job_state';
import { formatPath, navigate } from '../router';
import { jobs, refreshJobs } from '../store/jobs';
import { Icon } from './icon';
import { StateMark } from './state_mark';

const kShown = 8;

export function JobSearch() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const wanted = text.trim().toLowerCase();
  const found = wanted ? (jobs.value ?? []).filter((job) => job.id.toLowerCase().includes(wanted)).slice(0, kShown) : [];
  const isShown = isOpen && wanted !== '';
  const go = (id: string) => {
    setText('');
    setOpen(false);
    navigate(formatPath({ view: 'study', study: id, tab: 'overview' }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (found.length) setAt((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    } else if (event.key === 'Enter' && found[at]) {
      go(found[at]!.id);
      (event.target as HTMLElement).blur();
    } else if (event.key === 'Escape') {
      setText('');
      (event.target as HTMLElement).blur();
    }
  };
  return (
    <div class="search">
      <Icon name="search" />
      <input
        data-search
        type="text"
        role="combobox"
        aria-label="Go to a job"
        aria-expanded={isShown}
        aria-controls="search-list"
        aria-autocomplete="list"
        aria-activedescendant={isShown && found[at] ? `search-${at}` : undefined}
        placeholder="Go to a job"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => {
          setOpen(true);
          refreshJobs();
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <div id="search-list" role="listbox" aria-label="Jobs" class="search-list" hidden={!isShown}>
        {found.map((job, index) => (
          <div
            id={`search-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault();
              go(job.id);
            }}
          >
            <StateMark state={shownState(job)} short />
            <span>{job.id}</span>
          </div>
        ))}
        {found.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled="true" class="muted">
            No job has this in its name.
          </div>
        )}
      </div>
    </div>
  );
}
