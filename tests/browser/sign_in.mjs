// Signs in and out: by a code that works once, by a token, read-only, and not
// at all. Arguments: the address with the code, the service's address, a
// token that may only read.
import {check, until, withBrowser} from './browser.mjs';

const [address, base, readToken] = process.argv.slice(2);

await withBrowser(async ({open, forgive}) => {
  const page = await open();
  // Without a session there is nothing to see and nothing to do.
  await page.goto(`${base}/ui/jobs`);
  await page.getByLabel('Or enter a token').waitFor();
  check(await page.getByText('digits').count() === 0, 'no job before the sign-in');
  check((await page.request.get(`${base}/ui/api/jobs`)).status() === 401, '401 without a session');

  await page.goto(address);
  await page.waitForURL(`${base}/ui/jobs`);
  await page.getByText('digits').first().waitFor();
  check(!page.url().includes('#'), 'no code left in the address');
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name.startsWith('vernier'));
  check(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === 'Strict', 'one cookie, HttpOnly and Strict');
  check(await page.evaluate(() => document.cookie) === '', 'no cookie that a script can read');
  await page.reload();
  await page.getByText('digits').first().waitFor();

  // The code is worth nothing any more.
  const second = await open();
  await second.goto(address);
  await second.getByText(/has been used/).waitFor();

  // A page of another port on this machine is the same site to the browser.
  const stolen = await page.context().newPage();
  await stolen.route('http://127.0.0.1:1/evil', (route) => route.fulfill({contentType: 'text/html', body: '<p>evil'}));
  await stolen.goto('http://127.0.0.1:1/evil');
  const outcomes = await stolen.evaluate(async (target) => {
    const results = [];
    for (const options of [
      {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"jobId":"digits"}'},
      {method: 'POST', credentials: 'include', headers: {'x-vernier-csrf': 'guess'}, body: '{"jobId":"digits"}'},
      {credentials: 'include'},
    ]) {
      const path = options.method ? '/ui/rpc/vernier.v1.JobService/CancelJob' : '/ui/api/jobs';
      try {
        const answer = await fetch(target + path, options);
        results.push(`${answer.type} ${await answer.text()}`);
      } catch {
        results.push('refused');
      }
    }
    return results;
  }, base);
  for (const outcome of outcomes) check(!outcome.includes('digits'), `nothing for another origin: ${outcome}`);
  const jobs = await (await page.request.get(`${base}/ui/api/jobs`)).json();
  check(jobs.jobs[0].wanted === 'RUN', 'a job that nobody cancelled');
  await stolen.close();
  // Its refusals are the point.
  forgive(/.*/s);

  // Who may only read sees no buttons that change something.
  const reader = await open();
  await reader.goto(`${base}/ui/jobs`);
  await reader.getByLabel('Or enter a token').fill('vernier_wrong');
  await reader.getByRole('button', {name: 'Sign in'}).click();
  await reader.getByText(/does not know this token/).waitFor();
  forgive(/401/);
  await reader.getByLabel('Or enter a token').fill(readToken);
  await reader.getByRole('button', {name: 'Sign in'}).click();
  await reader.getByText('digits').first().waitFor();
  await reader.goto(`${base}/ui/jobs/digits`);
  await reader.getByRole('tab', {name: /Overview/}).or(reader.getByRole('link', {name: /Overview/})).first().waitFor();
  for (const name of [/^Pause/, /^Cancel/, /^Stop/, /^Extend/, /^Delete/, /New job/]) {
    check(await reader.getByRole('button', {name}).count() === 0, `no button ${name}`);
    check(await reader.getByRole('link', {name}).count() === 0, `no link ${name}`);
  }
  forgive(/401/);

  // Signing out ends the session, in this browser and at the service.
  const cookie = cookies[0];
  await page.evaluate(async () => {
    const session = await (await fetch('/ui/session')).json();
    await fetch('/ui/session', {method: 'DELETE', headers: {'x-vernier-csrf': session.csrf}});
  });
  await page.context().addCookies([{name: cookie.name, value: cookie.value, domain: '127.0.0.1', path: '/ui'}]);
  await until(async () => (await page.request.get(`${base}/ui/api/jobs`)).status() === 401, 'the token to be revoked');
  // The stream of changes ends with its token, and pages ask for their session.
  for (const each of [page, second, reader]) await each.context().close();
  forgive(/401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
});
