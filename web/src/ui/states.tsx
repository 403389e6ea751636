// What a view shows while it has nothing else to show.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api';
import { Button } from './button';

/** Appears after a moment only, so that fast answers do not flicker. */
export function Loading({ text = 'Loading' }: { text?: string }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state-box" role="status">
      {isShown && (
        <>
          <span class="bar-loading" aria-hidden="true" />
          <span class="muted">{text} …</span>
        </>
      )}
    </div>
  );
}

/** Nothing is there, and what to do about it. `isPage`: it is all that the page shows. */
export function Empty({ title, isPage, children }: { title: string; isPage?: boolean; children?: ComponentChildren }) {
  return (
    <div class="state-box">
      {isPage ? <h1 class="state-title">{title}</h1> : <p class="state-title">{title}</p>}
      {children && <div class="muted">{children}</div>}
    </div>
  );
}

export function ErrorBox({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const title = error.isOffline ? 'The service does not answer' : error.code === 404 ? 'There is no such thing' : 'This did not work';
  return (
    <div class="state-box" role="alert">
      <p class="state-title">{title}</p>
      <p class="muted">
        {error.isOffline
          ? 'The page tries again by itself. If the service has ended, the command below starts it.'
          : error.message}
      </p>
      {error.isOffline && <code>vernier status</code>}
      {onRetry && (
        <p>
          <Button onClick={onRetry}>Try again</Button>
        </p>
      )}
    </div>
  );
}

/** A failure of a part of the view, in one line. */
export function ErrorLine({ text }: { text: string }) {
  return (
    <p class="error-line" role="alert">
      {text}
    </p>
  );
}
