// Looks at a study of very many trials in every view; nothing may be left out,
// and a filter holds. How fast it is, bench/dashboard_bench.py measures.
// Arguments: the address with the code, the service's address, the study, how
// many trials it has.
import {check, until, withBrowser} from './browser.mjs';

const [address, base, study, trials] = process.argv.slice(2);

await withBrowser(async ({open}) => {
  const page = await open();
  page.setDefaultTimeout(60000);
  await page.goto(address);
  await page.waitForURL(/\/ui\/jobs/);
  for (const view of ['', '/table', '/parallel', '/curves', '/importance', '/slices', '/contours', '/calibration', '/timeline', '/events']) {
    await page.goto(`${base}/ui/jobs/${study}${view}`);
    await page.locator('h1').first().waitFor();
    await until(async () => await page.locator('[aria-busy=true], .loading').count() === 0, `${view} to load`, 60);
    check(await page.getByText(/undefined|NaN|\[object/).count() === 0, `no raw values in ${view}`);
    check(await page.locator('.error-line, .error-box').count() === 0, `no error in ${view}`);
  }
  await page.goto(`${base}/ui/jobs/${study}/table`);
  const table = page.locator('.trials-table');
  await table.waitFor();
  check(await table.getAttribute('aria-rowcount') === String(Number(trials) + 1), 'all trials in the table');
  // The last row is there, and only few rows are in the document.
  await page.locator('.trials-box').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.locator(`[data-row="${Number(trials) - 1}"]`).waitFor();
  check(await page.locator('[data-row]').count() < 200, 'few rows in the document');
  await page.locator('#filter').fill('layers>=8 AND state=completed');
  await page.keyboard.press('Enter');
  await page.getByText(` of ${trials} trials`).waitFor();
  const [few] = (await page.locator('.filter-count').textContent()).split(' ');
  const count = Number(few);
  check(count > 0 && count < Number(trials), `some trials, not all: ${few}`);
  // The same filter in another view, by the address.
  await page.getByRole('link', {name: 'Parallel'}).or(page.getByRole('tab', {name: 'Parallel'})).first().click();
  await page.getByText(`${few} of ${trials} trials`).waitFor();
});
