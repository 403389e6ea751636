// Watches a job from its submission to its end, across a kill of the service.
// Prints a word when the caller has to do something: "submit", "kill", "start".
// Arguments: the address with the code, the service's address.
import {check, until, withBrowser} from './browser.mjs';

const [address, base] = process.argv.slice(2);
const ask = (word) => process.stdout.write(`${word}\n`);

await withBrowser(async ({open, forgive}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(`${base}/ui/jobs`);
  await page.getByText('Live', {exact: true}).first().waitFor({state: 'attached'});
  ask('submit');
  // Without a reload.
  const link = page.getByRole('link', {name: 'watched'}).first();
  await link.waitFor({timeout: 20000});
  await link.click();
  await page.waitForURL(/\/ui\/jobs\/watched/);
  const seen = () => page.evaluate(async () => {
    const answer = await fetch('/ui/api/studies/watched');
    return answer.ok ? (await answer.json()).counts : null;
  });
  await until(async () => (await seen())?.completed >= 2, 'two trials to complete');
  await page.locator('canvas').first().waitFor();

  ask('kill');
  await page.getByRole('status').filter({hasText: /Offline|Connecting/}).first().waitFor({timeout: 30000});
  check(await page.locator('canvas').count() > 0, 'the page to show what it knew');
  ask('start');
  await page.getByRole('status').filter({hasText: 'Live'}).first().waitFor({timeout: 60000});
  // The same session, the same page; the job goes on to its end before our eyes.
  await page.getByText(/Succeeded/).first().waitFor({timeout: 90000});
  const counts = await seen();
  check(counts.completed === counts.max, `all trials complete: ${JSON.stringify(counts)}`);
  forgive(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|50[0-9]|fetch|network/i);
});
