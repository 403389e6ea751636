// Tabs with addresses: links, of which one is the present page.

export interface TabItem {
  href: string;
  text: string;
  /** Shown small behind the text. */
  count?: number | string;
  isCurrent: boolean;
}

export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {items.map(({ href, text, count, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && count !== 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
