// A text field for code: line numbers, marks where something is wrong. Tab
// indents; Escape and then Tab leaves the field, so that nobody is caught in it.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

export interface Mark {
  /** From 1; 0 is about no place. */
  line: number;
  column: number;
  message: string;
}

const kIndent = '  ';

/** Pure: the text and selection after Tab, or after Shift and Tab. */
export function indented(text: string, start: number, end: number, isBack: boolean): { text: string; start: number; end: number } {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  if (start === end && !isBack) return { text: text.slice(0, start) + kIndent + text.slice(end), start: start + kIndent.length, end: start + kIndent.length };
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const lines = text.slice(first, last).split('\n');
  let moved = 0;
  let movedFirst = 0;
  const changed = lines.map((line, i) => {
    const next = isBack ? line.replace(/^ {1,2}/, '') : kIndent + line;
    moved += next.length - line.length;
    if (i === 0) movedFirst = next.length - line.length;
    return next;
  });
  return { text: text.slice(0, first) + changed.join('\n') + text.slice(last), start: Math.max(first, start + movedFirst), end: end + moved };
}

/** Pure: the offset of a place in the text, which is cut to what is there. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; ++i) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  const end = text.indexOf('\n', at);
  return Math.min(end < 0 ? text.length : end, at + Math.max(0, column - 1));
}

export function Editor(props: {
  label: string;
  value: string;
  marks: readonly Mark[];
  /** Where to go to: a new object goes there. */
  goTo: Mark | null;
  describedBy?: string;
  onInput: (text: string) => void;
  onSubmit: () => void;
}) {
  const { value, marks } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const isEscaped = useRef(false);
  const [scroll, setScroll] = useState({ top: 0, left: 0 });
  const lines = useMemo(() => value.split('\n'), [value]);
  const bad = new Set(marks.map(({ line }) => line));

  // Before anything is painted, so that what is typed next goes there, too.
  useLayoutEffect(() => {
    const element = area.current!;
    if (!props.goTo?.line) return;
    const at = offsetOf(value, props.goTo.line, props.goTo.column);
    element.focus();
    element.setSelectionRange(at, at);
    element.scrollTop = (props.goTo.line - 4) * parseFloat(getComputedStyle(element).lineHeight);
  }, [props.goTo]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      isEscaped.current = true;
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      props.onSubmit();
    } else if (event.key === 'Tab' && !isEscaped.current && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      const element = area.current!;
      const next = indented(element.value, element.selectionStart, element.selectionEnd, event.shiftKey);
      if (next.text === element.value) return;
      // By the browser's own editing, so that it can be undone.
      element.select();
      if (!document.execCommand('insertText', false, next.text)) {
        element.value = next.text;
        props.onInput(next.text);
      }
      element.setSelectionRange(next.start, next.end);
    }
    if (event.key !== 'Shift') isEscaped.current = false;
  };
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        <div style={{ transform: `translateY(${-scroll.top}px)` }}>
          {lines.map((_, i) => (
            <div class={bad.has(i + 1) ? 'bad' : undefined}>{i + 1}</div>
          ))}
        </div>
      </div>
      <div class="editor-text">
        <div class="editor-marks" aria-hidden="true">
          <div style={{ transform: `translate(${-scroll.left}px, ${-scroll.top}px)` }}>
            {marks
              .filter(({ line }) => line > 0 && line <= lines.length)
              .map(({ line, column }) => {
                const rest = lines[line - 1]!.slice(Math.max(0, column - 1));
                const length = Math.max(1, /^[^\s:,\]}]*/.exec(rest)![0].length);
                return <span style={{ top: `${(line - 1) * 1.5}em`, left: `${Math.max(0, column - 1)}ch`, width: `${length}ch` }} />;
              })}
          </div>
        </div>
        <textarea
          ref={area}
          wrap="off"
          aria-label={props.label}
          aria-describedby={props.describedBy}
          aria-invalid={marks.length > 0}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, left: event.currentTarget.scrollLeft })}
          onBlur={() => (isEscaped.current = false)}
        />
      </div>
    </div>
  );
}
