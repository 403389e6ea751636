// Signs in with the code behind an address that `vernier ui` prints, or with a token.
import { useEffect, useState } from 'preact/hooks';
import { asError } from '../api';
import { navigate, route } from '../router';
import { signIn } from '../store/session';
import { Button } from '../ui/button';
import { Command } from '../ui/command';
import { ErrorLine } from '../ui/states';

/** `#CODE/jobs/digits` is a code and where to go on to. */
export function parseFragment(hash: string): { code: string; next: string } | null {
  const text = hash.replace(/^#/, '');
  if (!text) return null;
  const at = text.indexOf('/');
  return at < 0 ? { code: text, next: '/ui/jobs' } : { code: text.slice(0, at), next: '/ui' + text.slice(at) };
}

function goOn(next: string): void {
  if (route.peek().place.view === 'login') navigate(next, true);
}

/** `isOver`: the session has ended; the page behind stays as it is. */
export function LoginView({ isOver }: { isOver?: boolean }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    const fragment = parseFragment(location.hash);
    if (!fragment || route.peek().place.view !== 'login') return;
    history.replaceState(null, '', location.pathname); // The code is not to stay in the address.
    setBusy(true);
    signIn({ code: fragment.code })
      .then(() => goOn(fragment.next))
      .catch((caught) => {
        setBusy(false);
        const failure = asError(caught);
        setError(failure.code === 401 ? 'This address has been used, or is too old. Run the command again.' : failure.message);
      });
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await signIn({ token: token.trim() });
      goOn('/ui/jobs');
    } catch (caught) {
      const failure = asError(caught);
      setError(failure.code === 401 ? 'The service does not know this token, or it has been revoked.' : failure.message);
      setBusy(false);
    }
  };
  const form = (
    <section class="login" aria-labelledby="login-title">
      <h1 id="login-title">{isOver ? 'The session has ended' : 'Vernier'}</h1>
      <p>{isOver ? 'Sign in again to go on where you were.' : 'Sign in to see your tuning jobs.'} On the service’s machine, run</p>
      <Command text="vernier ui" />
      <p class="muted">It opens this page, signed in.</p>
      <form onSubmit={submit}>
        <label for="token">Or enter a token</label>
        <div class="field-row">
          <input
            id="token"
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
            aria-describedby="token-help"
          />
          <Button type="submit" kind="primary" disabled={isBusy || !token.trim()}>
            Sign in
          </Button>
        </div>
        <p class="muted" id="token-help">
          <code>vernier tokens create</code> prints one.
        </p>
        {error && <ErrorLine text={error} />}
      </form>
    </section>
  );
  return isOver ? <div class="login-over">{form}</div> : <main class="login-page">{form}</main>;
}
