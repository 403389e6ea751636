// Looks at every view in light and dark, on a phone and on a wide screen, and
// asks axe. Arguments: the address with the code, the service's address, and
// what there is: a study, one of its trials.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {check, until, withBrowser} from './browser.mjs';

const [address, base, study, trial] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const views = [
  '/jobs', '/new', '/machine',
  ...['', '/table', '/parallel', '/curves', '/importance', '/slices', '/contours', '/calibration', '/timeline',
    '/queue', '/events', `/trials/${trial}`, `/compare?sel=1,${trial}`].map((tab) => `/jobs/${study}${tab}`),
];

async function settled(page) {
  await page.locator('h1').first().waitFor();
  await until(async () => await page.locator('[aria-busy=true], .loading').count() === 0, `${page.url()} to load`, 8);
  await page.waitForTimeout(150);
}

async function lookAt(page, view, look, asksAxe) {
  await page.goto(base + '/ui' + view);
  await settled(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(overflow <= 0, `no sideways scrolling of ${view} ${look} (${overflow} px)`);
  check(await page.getByText(/undefined|NaN|\[object/).count() === 0, `no raw values in ${view} ${look}`);
  if (!asksAxe) return;
  // The page forbids scripts that are not its own; this one comes by the
  // debugger's door.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  const violations = found.violations.map((each) =>
    `${each.id} (${each.impact}): ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
  check(violations.length === 0, `axe to find nothing in ${view} ${look}:\n${violations.join('\n')}`);
}

const problems = [];
await withBrowser(async ({open}) => {
  const first = await open();
  await first.goto(address);
  await first.waitForURL(`${base}/ui/jobs`);
  const cookies = await first.context().cookies();
  for (const [look, settings] of Object.entries({
    'light at 1280 px': {colorScheme: 'light'},
    'dark at 1280 px': {colorScheme: 'dark'},
    'light at 360 px': {colorScheme: 'light', viewport: {width: 360, height: 740}},
    'dark at 3840 px': {colorScheme: 'dark', viewport: {width: 3840, height: 2000}},
  })) {
    const page = await open(settings);
    await page.context().addCookies(cookies);
    for (const view of views) {
      try {
        await lookAt(page, view, look, settings.viewport === undefined);
      } catch (error) {
        problems.push(String(error.message));
      }
    }
    await page.context().close();
  }
});
check(problems.length === 0, `nothing wrong:\n${problems.join('\n')}`);
