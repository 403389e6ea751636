// Keyboard shortcuts of the page; they rest while somebody types or a window is open.
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /** As KeyboardEvent.key has it; `g j` is one after the other. */
  keys: string;
  does: string;
  run: (event: KeyboardEvent) => void;
}

const groups = signal<readonly (readonly Shortcut[])[]>([]);
let prefix = '';
let prefixTimer = 0;

/** For the window that lists them. */
export const allShortcuts = (): Shortcut[] => groups.value.flat();

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.('input, textarea, select, dialog, [role=menu], [contenteditable]');
}

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const keys = prefix ? `${prefix} ${event.key}` : event.key;
    clearTimeout(prefixTimer);
    prefix = '';
    const all = groups.peek().flat();
    const found = all.find((shortcut) => shortcut.keys === keys);
    if (found) {
      // Enter and space belong to what has the focus.
      if ((event.key === 'Enter' || event.key === ' ') && (event.target as HTMLElement).closest('a, button')) return;
      event.preventDefault();
      found.run(event);
    } else if (all.some((shortcut) => shortcut.keys.startsWith(keys + ' '))) {
      prefix = keys;
      prefixTimer = window.setTimeout(() => (prefix = ''), 1200);
    }
  });
}

/** `shortcuts` must be the same array between renders, or `inputs` say when it changes. */
export function useShortcuts(make: () => readonly Shortcut[], inputs: readonly unknown[]): void {
  useLayoutEffect(() => {
    const mine = make();
    groups.value = [...groups.peek(), mine];
    return () => {
      groups.value = groups.peek().filter((group) => group !== mine);
    };
  }, inputs as unknown[]);
}
