// A modal window. The browser's own <dialog> keeps the focus inside and closes on Escape.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asError } from '../api';
import { Button } from './button';
import { Command } from './command';
import { ErrorLine } from './states';

let dialogs = 0;

export function Dialog(props: { title: string; onClose: () => void; wide?: boolean; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [titleId] = useState(() => `dialog-${++dialogs}`);
  // Before the next key: an Escape right after the click belongs to the window.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current!.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={ref}
      class={props.wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) props.onClose(); // Beside the window.
      }}
    >
      <div class="dialog-inner">
        <header>
          <h2 id={titleId}>{props.title}</h2>
          <Button kind="quiet" icon="close" label="Close" onClick={props.onClose} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

/**
 * Asks before something is done and shows the command that does the same. An
 * error of `onConfirm` is shown in the window, which then stays.
 */
export function Confirm(props: {
  title: string;
  /** What the button says: the verb, not "OK". */
  verb: string;
  /** It destroys something. */
  danger?: boolean;
  command?: string;
  disabled?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children?: ComponentChildren;
}) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await props.onConfirm();
      props.onClose();
    } catch (caught) {
      setError(asError(caught).message);
      setBusy(false);
    }
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          {props.children}
          {error && <ErrorLine text={error} />}
          {props.command && (
            <div class="same-command">
              <span class="muted">The same on the command line</span>
              <Command text={props.command} />
            </div>
          )}
        </div>
        <footer>
          <Button onClick={props.onClose}>Close</Button>
          <Button type="submit" kind={props.danger ? 'danger' : 'primary'} disabled={isBusy || props.disabled}>
            {props.verb}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
