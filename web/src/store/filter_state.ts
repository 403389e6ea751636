// The filter and the selection, as the address holds them.
import { computed } from '@preact/signals';
import { formatBrushes, parseBrushes, type Brush, type Brushes } from '../filter';
import { route, setQuery } from '../router';

const brushText = computed(() => route.value.query.b ?? '');

export const brushes = computed<Brushes>(() => parseBrushes(brushText.value));

/** In the command line's language. */
export const filterText = computed(() => route.value.query.q ?? '');

/** Trials that were picked, for example to compare them. */
export const selection = computed<readonly number[]>(() => {
  const text = route.value.query.sel ?? '';
  return text ? text.split(',').map(Number).filter((id) => Number.isInteger(id) && id > 0) : [];
});

/** null takes the column's brush away. */
export function setBrush(column: string, brush: Brush | null): void {
  setBrushes({ [column]: brush });
}

export function setBrushes(changes: Record<string, Brush | null>): void {
  const next = new Map(brushes.peek());
  for (const [column, brush] of Object.entries(changes)) {
    if (brush) next.set(column, brush);
    else next.delete(column);
  }
  setQuery({ b: formatBrushes(next) });
}

export function setFilterText(text: string): void {
  setQuery({ q: text.trim() });
}

export function clearFilter(): void {
  setQuery({ b: null, q: null });
}

export function setSelection(ids: readonly number[]): void {
  setQuery({ sel: ids.join(',') });
}

export function toggleSelected(id: number): void {
  const now = selection.peek();
  setSelection(now.includes(id) ? now.filter((other) => other !== id) : [...now, id]);
}
