// Goes through the page by the keyboard alone.
// Arguments: the address with the code, the service's address, a study with results.
import {check, until, withBrowser} from './browser.mjs';

const [address, base, study] = process.argv.slice(2);

await withBrowser(async ({open}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(/\/ui\/jobs/);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const at = (pattern) => page.waitForURL((url) => pattern.test(url.pathname));

  await page.getByRole('link', {name: study}).first().waitFor();
  await press('j', 'Enter');
  await at(new RegExp(`/ui/jobs/${study}`));
  await press('g', 'm');
  await at(/\/ui\/machine/);
  await press('g', 'n');
  await at(/\/ui\/new/);
  await press('g', 'j');
  await at(/\/ui\/jobs$/);
  await press('?');
  await page.getByRole('dialog', {name: 'Keyboard'}).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});

  // The table: pick two, compare them; open one, go on to the next.
  await page.goto(`${base}/ui/jobs/${study}/table`);
  await page.locator('[data-row]').first().waitFor();
  await press('j', 'x', 'j', 'x');
  await page.getByText('2 trials are picked').waitFor();
  await press('Enter');
  await at(/trials\/\d+$/);
  const first = page.url();
  await press('k');
  await page.waitForURL((url) => url.href !== first && /trials\/\d+/.test(url.pathname));
  await press('u');
  await at(/\/table$/);

  // A plot: the arrows go over its points and say them, Enter opens one.
  await page.goto(`${base}/ui/jobs/${study}`);
  const plot = page.locator('.plot-body').first();
  await plot.waitFor();
  await page.locator('canvas').first().waitFor();
  await plot.focus();
  await press('ArrowRight', 'ArrowRight');
  const said = page.locator('figure.plot [role=status]').first();
  await until(async () => /trial \d+/i.test(await said.textContent()), 'the point to be said');
  await press('Enter');
  await at(/trials\/\d+$/);

  // A menu: arrows, Escape gives the focus back; a window keeps the focus inside.
  await page.goto(`${base}/ui/jobs/${study}`);
  const more = page.getByRole('button', {name: 'More actions'});
  await more.focus();
  await press('Enter');
  await page.getByRole('menu').waitFor();
  await press('ArrowDown', 'Escape');
  check(await more.evaluate((element) => element === document.activeElement), 'the focus back on the button');
  await press('Enter');
  await page.getByRole('menuitem', {name: /^Note/}).focus();
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let i = 0; i < 12; i++) {
    await press('Tab');
    check(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement.closest('dialog')), 'the focus inside of the window');
  }
  await press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});

  // Every tab, and whatever has the focus can be seen.
  await page.goto(`${base}/ui/jobs/${study}`);
  await page.locator('canvas').first().waitFor();
  await page.evaluate(() => document.body.focus());
  const stops = new Set();
  for (let i = 0; i < 60; i++) {
    await press('Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      const shows = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      return {name: element.outerHTML.slice(0, 120), text: element.textContent.trim().slice(0, 30), shows};
    });
    if (!focus) continue;
    stops.add(focus.text);
    check(focus.shows, `a focus that is seen: ${focus.name}`);
  }
  for (const tab of ['Overview', 'Trials', 'Parallel', 'Importance', 'Timeline', 'Events']) {
    check([...stops].some((text) => text.startsWith(tab)), `the tab ${tab} by the keyboard: ${[...stops].join(' | ')}`);
  }
});
