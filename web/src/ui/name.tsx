// A name that gives up its middle where there is no room for all of it.
import { keptPieces, type Kept } from '../names';

const kShort = 10;

/** `kept`: of keptPieces, where the name stands among others. */
export function Name({ text, kept }: { text: string; kept?: Kept }) {
  if (text.length <= kShort) {
    return (
      <span class="cut-name" title={text}>
        <span class="cut">{text}</span>
      </span>
    );
  }
  const [begin, end] = kept ?? keptPieces([text]).get(text)!;
  const piece = (from: number, to: number, kind: string) =>
    from < to && (
      <span class={kind} aria-hidden="true">
        {text.slice(from, to)}
      </span>
    );
  return (
    <span class="cut-name" title={text}>
      {/* The pieces would be read with pauses between them. */}
      <span class="off-screen">{text}</span>
      {piece(0, begin, 'cut')}
      {piece(begin, end, 'kept')}
      {piece(end, text.length, 'cut')}
    </span>
  );
}

/** What was selected, with names in one piece: a browser ends a line after each piece. Pure but for the document. */
function selectedText(selection: Selection): string {
  let text = selection.toString();
  for (const name of document.querySelectorAll('.cut-name')) {
    if (!selection.containsNode(name, true)) continue;
    const pieces = Array.from(name.querySelectorAll('[aria-hidden]'), (piece) => piece.textContent ?? '');
    text = text.replace(pieces.join('\n'), () => pieces.join(''));
  }
  return text;
}

/** Call once: what is copied has names as they are. */
export function copyNamesWhole(): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (!selection?.toString().includes('\n') || /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.clipboardData?.setData('text/plain', selectedText(selection));
    event.preventDefault();
  });
}
