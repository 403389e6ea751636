// Which rows of a long list are in sight.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface VirtualRange {
  first: number;
  /** One behind the last. */
  end: number;
}

const kExtra = 8;

/** Pure: the rows between two heights, and some more on both sides. */
export function rowsInSight(top: number, bottom: number, rowHeight: number, count: number): VirtualRange {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - kExtra));
  return { first, end: Math.max(first, Math.min(count, Math.ceil(bottom / rowHeight) + kExtra)) };
}

/**
 * `list` holds the rows, `rowHeight` pixels each, and begins `head` pixels below
 * its top. Either it scrolls itself, or the window does.
 */
export function useVirtual(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  options: { isWindow: boolean; head?: number },
): VirtualRange {
  const [range, setRange] = useState<VirtualRange>({ first: 0, end: Math.min(count, 40) });
  const measure = () => {
    const element = list.current;
    if (!element) return;
    const head = options.head ?? 0;
    const top = options.isWindow ? -element.getBoundingClientRect().top - head : element.scrollTop - head;
    const height = options.isWindow ? window.innerHeight : element.clientHeight;
    const next = rowsInSight(top, top + height, rowHeight, count);
    setRange((now) => (now.first === next.first && now.end === next.end ? now : next));
  };
  useLayoutEffect(measure, [count, rowHeight]);
  useEffect(() => {
    const target: EventTarget = options.isWindow ? window : list.current!;
    target.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(options.isWindow ? document.documentElement : list.current!);
    return () => {
      target.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [count, rowHeight]);
  return { first: Math.min(range.first, count), end: Math.min(range.end, count) };
}

/** The height of one row in pixels, from a length in rem, so that it follows the page's size of text. */
export function useRem(rem: number): number {
  const read = () => Math.round(rem * parseFloat(getComputedStyle(document.documentElement).fontSize));
  const [size, setSize] = useState(read);
  useEffect(() => {
    const update = () => setSize(read());
    window.addEventListener('resize', update);
    return () => window.removeEventListener('resize', update);
  }, [rem]);
  return size;
}
