// The window that lists the keys.
import { signal } from '@preact/signals';
import { Dialog } from './dialog';
import { allShortcuts } from './keys';

const isOpen = signal(false);

export function openHelp(): void {
  isOpen.value = true;
}

export function ShortcutHelp() {
  if (!isOpen.value) return null;
  return (
    <Dialog title="Keyboard" onClose={() => (isOpen.value = false)}>
      <div class="dialog-body">
        <dl class="keys">
          {allShortcuts().map(({ keys, does }) => (
            <>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </>
          ))}
          <dt>
            <kbd>←</kbd>
            <kbd>→</kbd>
          </dt>
          <dd>In a plot: the next point. Enter opens it.</dd>
        </dl>
        <p class="muted">
          <a href="/ui/assets/licenses.txt" target="_blank">
            Licences of what this page uses
          </a>
        </p>
      </div>
    </Dialog>
  );
}
