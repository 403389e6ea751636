// The log of one replica: the end first, more on demand, following while it is
// written. Only the lines in sight are in the page.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asError, getJson, studyPath } from '../api';
import { formatBytes, formatCount } from '../format';
import { findLines, kLongestLine, lineAt, LogText, rowStarts, searchPattern } from '../log_text';
import { download } from '../plots/export';
import { Button, Toggle } from '../ui/button';
import { ErrorLine } from '../ui/states';
import { useRem } from '../ui/virtual';

interface LogPart {
  attempt: number;
  replicas: { name: string; bytes: number }[];
  replica: string;
  offset: number;
  next: number;
  text: string;
  ended: boolean;
}

const kTail = 128 * 1024;
const kChunk = 256 * 1024;
const kFastest = 1000;
const kSlowest = 5000;
/** Browsers do not lay out what is higher than some ten million pixels. */
const kHighest = 12_000_000;
const kExtraRows = 12;

class LogLoader {
  readonly text = new LogText();
  replicas: LogPart['replicas'] = [];
  replica = '';
  hasEnded = false;
  isLoaded = false;

  constructor(
    private readonly study: string,
    private readonly trial: number,
    private readonly attempt: number,
    private readonly wanted: string,
  ) {}

  get bytes(): number {
    return Math.max(this.text.next, this.replicas.find(({ name }) => name === this.replica)?.bytes ?? 0);
  }

  private ask(offset: number, limit: number): Promise<LogPart> {
    return getJson<LogPart>(
      studyPath(this.study, `log/${this.trial}`, { attempt: this.attempt, replica: this.replica || this.wanted, offset, limit }),
    );
  }

  /** What is new; true if something was. */
  async forward(): Promise<boolean> {
    const part = await this.ask(this.isLoaded ? this.text.next : -kTail, kChunk);
    this.replicas = part.replicas;
    this.replica = part.replica;
    this.hasEnded = part.ended;
    this.isLoaded = true;
    this.text.append(part.text, part.offset, part.next);
    return part.text !== '';
  }

  /** The piece before the first line. */
  async backward(): Promise<void> {
    const end = this.text.first;
    const start = Math.max(0, end - kChunk);
    let at = start;
    let text = '';
    while (at < end) {
      const part = await this.ask(at, end - at);
      if (part.offset >= end) break; // What was there has been dropped.
      if (part.offset > at) text += `\n[${part.offset - at} bytes are missing here: the log was longer than its limit]\n`;
      text += part.text;
      if (part.next <= at) break;
      at = part.next;
    }
    this.text.prepend(text, start);
  }
}

/** `attempts`: how many there are; the newest is shown unless another is chosen. */
export function LogView({ study, trial, attempts }: { study: string; trial: number; attempts: number }) {
  const [chosen, choose] = useState(0);
  const [replica, setReplica] = useState('');
  const attempt = chosen || attempts;
  if (attempts === 0) return <p class="muted">The trial has not started, so there is no log.</p>;
  return (
    <LogBody key={`${attempt}/${replica}`} study={study} trial={trial} attempt={attempt} attempts={attempts} replica={replica} onAttempt={choose} onReplica={setReplica} />
  );
}

interface BodyProps {
  study: string;
  trial: number;
  attempt: number;
  attempts: number;
  replica: string;
  onAttempt: (attempt: number) => void;
  onReplica: (replica: string) => void;
}

function LogBody(props: BodyProps) {
  const [loader] = useState(() => new LogLoader(props.study, props.trial, props.attempt, props.replica));
  const [version, setVersion] = useState(0);
  const [error, setError] = useState('');
  const [isWrapped, setWrapped] = useState(true);
  const [isFilling, setFilling] = useState(false);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const [view, setView] = useState({ top: 0, height: 400, columns: 100 });
  const box = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const isPinned = useRef(true);
  const isStopped = useRef(false);
  const rowHeight = useRem(1.45);
  const { text } = loader;

  // Follows: often while there is news, seldom else.
  useEffect(() => {
    let timer = 0;
    let pause = kFastest;
    let isGone = false;
    const turn = async () => {
      if (document.hidden) {
        timer = window.setTimeout(turn, kFastest);
        return;
      }
      let isNews = false;
      try {
        isNews = await loader.forward();
        setError('');
      } catch (caught) {
        setError(asError(caught).message);
      }
      if (isGone) return;
      setVersion((now) => now + 1);
      if (loader.hasEnded && !isNews) return;
      pause = isNews ? kFastest : Math.min(kSlowest, pause * 1.5);
      timer = window.setTimeout(turn, isNews && text.next < loader.bytes ? 0 : pause);
    };
    void turn();
    return () => {
      isGone = true;
      isStopped.current = true;
      clearTimeout(timer);
    };
  }, [loader]);

  const columns = isWrapped ? view.columns : 0;
  const starts = useCached([version, columns], () => rowStarts(text.lines, columns));
  const rows = starts[starts.length - 1]!;
  const whole = rows * rowHeight;
  const shown = Math.min(whole, kHighest);
  // Of very long logs a pixel of the scroll bar is more than a pixel of text.
  const stretch = shown > view.height ? (whole - view.height) / (shown - view.height) : 1;
  const top = view.top * stretch;
  const first = lineAt(starts, Math.max(0, Math.floor(top / rowHeight) - kExtraRows));
  const end = Math.min(text.lines.length, lineAt(starts, Math.min(rows, Math.ceil((top + view.height) / rowHeight) + kExtraRows)) + 1);
  const found = useCached([version, query], () => findLines(text.lines, query));
  const at = Math.min(current, Math.max(0, found.length - 1));

  const measure = () => {
    const element = box.current;
    if (!element) return;
    const perCharacter = ruler.current!.getBoundingClientRect().width / 100;
    const next = {
      top: element.scrollTop,
      height: element.clientHeight,
      columns: Math.max(20, Math.floor((element.clientWidth - 2 * parseFloat(getComputedStyle(element).paddingLeft)) / perCharacter)),
    };
    setView((now) => (now.top === next.top && now.height === next.height && now.columns === next.columns ? now : next));
  };
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    if (isPinned.current && element.scrollTop + element.clientHeight < element.scrollHeight) element.scrollTop = element.scrollHeight;
    measure();
  }, [version, whole, isWrapped]);

  const goTo = (line: number) => {
    const element = box.current!;
    isPinned.current = false;
    element.scrollTop = Math.max(0, starts[line]! * rowHeight - element.clientHeight / 2) / stretch;
  };
  const find = (by: number) => {
    if (!found.length) return;
    const next = (at + by + found.length) % found.length;
    setCurrent(next);
    goTo(found[next]!);
  };
  const search = (words: string) => {
    setQuery(words);
    const lines = findLines(text.lines, words);
    // The first at or below what is in sight.
    const from = lines.findIndex((line) => starts[line]! * rowHeight >= top);
    setCurrent(Math.max(0, from));
    if (lines.length) goTo(lines[Math.max(0, from)]!);
  };
  const earlier = async (isAll: boolean) => {
    setFilling(true);
    isStopped.current = false;
    try {
      let shownAt = 0;
      do {
        const lines = text.lines.length;
        await loader.backward();
        const grown = text.lines.length - lines;
        isPinned.current = false;
        if (isAll && Date.now() < shownAt + 700) continue;
        shownAt = Date.now();
        setVersion((now) => now + 1);
        if (!isAll) requestAnimationFrame(() => box.current && (box.current.scrollTop += grown * rowHeight));
      } while (isAll && text.first > 0 && !isStopped.current);
    } catch (caught) {
      setError(asError(caught).message);
    }
    setFilling(false);
    setVersion((now) => now + 1);
  };
  /** All of it: what is not here yet is fetched first; Stop keeps what there is. */
  const save = async () => {
    if (text.first > 0) await earlier(true);
    if (text.first > 0) return; // Stopped, or failed.
    download(`trial-${props.trial}-${loader.replica}.log`, new Blob([text.lines.join('\n') + '\n'], { type: 'text/plain' }));
  };
  const pattern = query ? searchPattern(query) : null;
  const log = loader.replicas;
  return (
    <div class="log">
      <div class="log-tools">
        {props.attempts > 1 && (
          <select aria-label="Attempt" value={props.attempt} onChange={(event) => props.onAttempt(Number(event.currentTarget.value))}>
            {Array.from({ length: props.attempts }, (_, i) => (
              <option value={i + 1}>Attempt {i + 1}</option>
            ))}
          </select>
        )}
        {log.length > 1 && (
          <select aria-label="Replica" value={loader.replica} onChange={(event) => props.onReplica(event.currentTarget.value)}>
            {log.map(({ name, bytes }) => (
              <option value={name}>
                {name} ({formatBytes(bytes)})
              </option>
            ))}
          </select>
        )}
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          spellcheck={false}
          value={query}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            find(event.shiftKey ? -1 : 1);
          }}
        />
        {query && (
          <>
            <Button kind="quiet" icon="up" label="Previous match" disabled={!found.length} onClick={() => find(-1)} />
            <Button kind="quiet" icon="down" label="Next match" disabled={!found.length} onClick={() => find(1)} />
            <span class="muted" role="status">
              {found.length ? `${formatCount(at + 1)} of ${formatCount(found.length)} lines` : 'No line has this'}
              {text.first > 0 && ' of what is loaded'}
            </span>
          </>
        )}
        <span class="log-more">
          <Toggle text="Wrap" label="Wrap long lines" on={isWrapped} onChange={setWrapped} />
          <Button
            kind="quiet"
            icon="save"
            label="Save the whole log"
            disabled={isFilling}
            onClick={() => void save()}
          />
        </span>
      </div>
      {error && <ErrorLine text={error} />}
      <div
        ref={box}
        class="log-box"
        role="region"
        aria-label={`Log of ${loader.replica || 'the trial'}, attempt ${props.attempt}`}
        tabIndex={0}
        style={{ lineHeight: `${rowHeight}px` }}
        onScroll={(event) => {
          const element = event.currentTarget;
          isPinned.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 2 * rowHeight;
          measure();
        }}
      >
        <span class="log-ruler" ref={ruler} aria-hidden="true">
          {'0'.repeat(100)}
        </span>
        <div class="log-whole" style={{ height: `${shown}px` }}>
          <div class={isWrapped ? 'log-lines wrapped' : 'log-lines'} style={{ top: `${view.top + starts[first]! * rowHeight - top}px` }}>
            {text.lines.slice(first, end).map((line, i) => (
              <LogLine key={first + i} line={line} pattern={pattern} isCurrent={!!query && found[at] === first + i} />
            ))}
          </div>
        </div>
        {loader.isLoaded && text.lines.length === 0 && <p class="muted">{loader.hasEnded ? 'The program has printed nothing.' : 'Nothing has been printed yet.'}</p>}
      </div>
      <div class="log-foot muted" hidden={!loader.isLoaded}>
        {text.first > 0 && (
          <>
            <Button kind="quiet" disabled={isFilling} onClick={() => void earlier(false)}>
              Load earlier
            </Button>
            {isFilling ? (
              <Button kind="quiet" onClick={() => (isStopped.current = true)}>
                Stop loading
              </Button>
            ) : (
              <Button kind="quiet" onClick={() => void earlier(true)}>
                Load all
              </Button>
            )}
          </>
        )}
        <span>
          {text.first > 0 ? `The last ${formatBytes(text.next - text.first)} of ${formatBytes(loader.bytes)}` : formatBytes(loader.bytes)},{' '}
          {formatCount(text.lines.length)} lines{loader.isLoaded && !loader.hasEnded ? '. The page follows.' : ''}
        </span>
        {!isPinned.current && (
          <Button
            kind="quiet"
            icon="down"
            onClick={() => {
              isPinned.current = true;
              setVersion((now) => now + 1);
            }}
          >
            To the end
          </Button>
        )}
      </div>
    </div>
  );
}

/** Like useMemo, for inputs that are numbers and texts. */
function useCached<T>(inputs: readonly (number | string)[], make: () => T): T {
  const cache = useRef<{ key: string; value: T } | null>(null);
  const key = inputs.join('/');
  if (cache.current?.key !== key) cache.current = { key, value: make() };
  return cache.current.value;
}

function LogLine({ line, pattern, isCurrent }: { line: string; pattern: RegExp | null; isCurrent: boolean }) {
  const shown = line.length > kLongestLine ? `${line.slice(0, kLongestLine)} … (${formatCount(line.length)} characters)` : line;
  if (!pattern) return <div>{shown || ' '}</div>;
  const parts: preact.ComponentChild[] = [];
  let at = 0;
  for (const match of shown.matchAll(pattern)) {
    parts.push(shown.slice(at, match.index), <mark>{match[0]}</mark>);
    at = match.index! + match[0].length;
  }
  return <div class={isCurrent ? 'current' : undefined}>{parts.length ? [...parts, shown.slice(at)] : shown || ' '}</div>;
}
