// What a person chose for this browser.
import { computed, effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem('vernier.' + key);
  } catch {
    return null;
  }
};

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem('vernier.' + key, value);
  } catch {
    // Without storage the choice holds for this page.
  }
}

export const remembered = read;

const inPage = typeof window !== 'undefined';
const darkQuery = inPage ? window.matchMedia('(prefers-color-scheme: dark)') : null;
const systemIsDark = signal(darkQuery?.matches ?? false);
darkQuery?.addEventListener('change', (event) => (systemIsDark.value = event.matches));

// Paper is white, also for what is drawn on canvases.
const printQuery = inPage ? window.matchMedia('print') : null;
const isPrinting = signal(printQuery?.matches ?? false);
printQuery?.addEventListener('change', (event) => (isPrinting.value = event.matches));

const stored = inPage ? read('theme') : null;
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');
export const isDark = computed(() => !isPrinting.value && (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

if (inPage) {
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
    remember('theme', theme.value);
  });
}
