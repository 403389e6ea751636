// A button that opens a list of actions. While the list is open, its items keep
// their places, whatever the page hears meanwhile: a pointer that is on its way to
// one never meets another.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

export interface MenuItem {
  text: string;
  /** A second line, for example the command. */
  note?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Set on items that are on or off; the menu then stays open. */
  checked?: boolean;
  onPick: () => void;
}

/** The items that a list was opened with as they are now; one that is gone cannot be picked. Pure. */
export function itemsNow(opened: readonly MenuItem[], items: readonly MenuItem[]): MenuItem[] {
  return opened.map((then) => items.find(({ text }) => text === then.text) ?? { ...then, disabled: true });
}

export function Menu(props: {
  label: string;
  icon?: IconName;
  kind?: 'plain' | 'quiet';
  items: readonly MenuItem[];
  children?: ComponentChildren;
}) {
  const [opened, setOpened] = useState<readonly MenuItem[] | null>(null);
  const isOpen = opened !== null;
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  // Before the list is painted, so that no key goes to the button meanwhile.
  useLayoutEffect(() => {
    if (isOpen) list.current!.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpened(null);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen]);

  const close = () => {
    setOpened(null);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      return;
    }
    if (event.key === 'Tab') {
      setOpened(null);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...list.current!.querySelectorAll<HTMLElement>('button:not(:disabled)')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        class={`button ${props.kind ?? 'plain'}${props.children ? '' : ' square'}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={props.children ? undefined : props.label}
        title={props.label}
        onClick={() => setOpened(isOpen ? null : props.items)}
      >
        {props.icon && <Icon name={props.icon} />}
        {props.children}
      </button>
      {opened && (
        <div class="menu-list" role="menu" aria-label={props.label} ref={list} onKeyDown={onKeyDown}>
          {itemsNow(opened, props.items).map((item) => (
            <button
              key={item.text}
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={item.checked}
              disabled={item.disabled}
              class={item.danger ? 'danger' : undefined}
              onClick={() => {
                if (item.checked === undefined) close();
                item.onPick();
              }}
            >
              <span>{item.text}</span>
              {item.note && <code>{item.note}</code>}
              {item.checked && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
