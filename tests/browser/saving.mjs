// Saves every plot as PNG, SVG and CSV, and the trials as CSV.
// Arguments: the address with the code, the service's address, a study with
// results, and the views that have plots.
import {readFileSync} from 'node:fs';
import {check, until, withBrowser} from './browser.mjs';

const [address, base, study, ...views] = process.argv.slice(2);

await withBrowser(async ({open}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(/\/ui\/jobs/);

  async function saved(act) {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return {name: file.suggestedFilename(), bytes: readFileSync(await file.path())};
  }
  const pick = (plot, format) => saved(async () => {
    await plot.locator('.plot-tools').getByRole('button', {name: /save, or show as a table$/}).click();
    await page.getByRole('menuitem', {name: `Save as ${format}`}).click();
  });
  const rowsOf = (bytes) => bytes.toString().trimEnd().split('\r\n');

  for (const view of views) {
    await page.goto(`${base}/ui/jobs/${study}/${view}`);
    const plots = page.locator('figure.plot');
    await plots.first().waitFor();
    await until(async () => await page.locator('[aria-busy=true], .loading').count() === 0, `${view} to load`);
    for (let i = 0; i < Math.min(3, await plots.count()); i++) {
      const plot = plots.nth(i);
      const where = `plot ${i} of ${view || 'the overview'}`;

      const png = await pick(plot, 'PNG');
      check(png.name.endsWith('.png') && png.bytes.subarray(1, 4).toString() === 'PNG', `a PNG of ${where}`);
      const [width, height] = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
      check(width > 300 && height > 100, `a PNG of some size of ${where}: ${width} x ${height}`);

      const svg = await pick(plot, 'SVG');
      // Parsed by the browser, and with something to see in it.
      const drawn = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return parsed.querySelector('parsererror') ? -1 : parsed.querySelectorAll('path, rect, circle, text, line, polyline').length;
      }, svg.bytes.toString());
      check(svg.name.endsWith('.svg') && drawn > 3, `an SVG with something in it of ${where}: ${drawn}`);

      const csv = await pick(plot, 'CSV');
      const rows = rowsOf(csv.bytes);
      check(csv.name.endsWith('.csv') && rows.length > 1, `a CSV with rows of ${where}: ${rows.length}`);
      check(rows.every((row) => row.split(',').length >= rows[0].split(',').length), `whole rows of ${where}`);

      // The same numbers as a table, the text alternative.
      await plot.locator('.plot-tools').getByRole('button', {name: /save, or show as a table$/}).click();
      await page.getByRole('menuitem', {name: 'Show as a table'}).click();
      const shown = page.getByRole('dialog').locator('tbody tr');
      await until(async () => await shown.count() === Math.min(1000, rows.length - 1), `the ${rows.length - 1} rows of ${where} as a table`, 8);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({state: 'detached'});
    }
  }

  await page.goto(`${base}/ui/jobs/${study}/table`);
  await page.locator('[data-row]').first().waitFor();
  const {total} = (await (await page.request.get(`${base}/ui/api/studies/${study}`)).json()).counts;
  const trials = rowsOf((await saved(() => page.getByRole('button', {name: /CSV/}).click())).bytes);
  check(trials.length === total + 1, `all trials in the file: ${trials.length - 1} of ${total}`);
  // What the filter leaves out is not in the file.
  await page.locator('#filter').fill('trial<=3');
  await page.keyboard.press('Enter');
  await page.getByText(/3 of/).first().waitFor();
  const few = rowsOf((await saved(() => page.getByRole('button', {name: /CSV/}).click())).bytes);
  check(few.length === 4, `three trials in the file: ${few.length - 1}`);
});
