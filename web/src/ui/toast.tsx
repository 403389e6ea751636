// Short messages at the lower edge: what was done, or why not.
import { signal } from '@preact/signals';
import { Button } from './button';
import { Command } from './command';

interface Toast {
  id: number;
  text: string;
  command?: string;
  isError: boolean;
}

const toasts = signal<readonly Toast[]>([]);
let nextId = 1;

const dismiss = (id: number) => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
};

/** A message stays for some seconds; an error stays until it is closed. */
export function toast(text: string, options: { command?: string; isError?: boolean } = {}): void {
  const id = nextId++;
  toasts.value = [...toasts.peek().slice(-3), { id, text, command: options.command, isError: options.isError ?? false }];
  if (!options.isError) setTimeout(() => dismiss(id), 6000);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, command, isError }) => (
        <div key={id} class={isError ? 'toast error' : 'toast'} role={isError ? 'alert' : undefined}>
          <div>
            <p>{text}</p>
            {command && <Command text={command} />}
          </div>
          <Button kind="quiet" icon="close" label="Close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
