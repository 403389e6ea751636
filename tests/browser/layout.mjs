// Looks at studies that are hard to show (page_data.mjs): long names, tiny
// numbers, no trial, several metrics, tracebacks; on a desktop and on a phone.
// Argument: the folder of the built page.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, withBrowser} from './browser.mjs';
import {answer, longNames, traceback} from './page_data.mjs';

const [page_folder] = process.argv.slice(2);
const kBase = 'http://127.0.0.1:8477';
const kTypes = {js: 'text/javascript', css: 'text/css', html: 'text/html'};
const kTabs = ['', '/table', '/parallel', '/curves', '/importance', '/slices', '/contours', '/calibration', '/timeline', '/queue', '/events'];
const kPhone = {viewport: {width: 390, height: 844}};
const problems = [];

/** Records what is wrong, so that one run names everything. */
function expect(condition, what) {
  if (!condition) problems.push(what);
}

async function serve(route) {
  const request = route.request();
  const {pathname} = new URL(request.url());
  const found = answer(pathname, request.postData());
  if (found) return route.fulfill({contentType: found.type, body: found.body});
  const file = join(page_folder, pathname.startsWith('/ui/assets/') ? pathname.slice(3) : 'index.html');
  if (!existsSync(file)) return route.fulfill({status: 404, body: ''});
  return route.fulfill({contentType: kTypes[file.split('.').pop()] ?? 'text/plain', body: readFileSync(file)});
}

async function show(page, path) {
  page.setDefaultTimeout(90000); // A busy machine is slow.
  await page.goto(kBase + '/ui' + path);
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.bar-loading'));
  await page.waitForTimeout(120);
}

async function lookEverywhere(page, look) {
  for (const study of ['tiny', 'empty', 'many', 'unbroken', 'front', longNames[0]]) {
    const places = [...kTabs, ...(study === 'front' ? ['/pareto'] : []), ...(study === 'empty' ? [] : ['/trials/2', '/compare?sel=1,3'])];
    for (const place of places) {
      await show(page, `/jobs/${study}${place}`);
      const {overflow, text} = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        text: document.querySelector('main').innerText,
      }));
      expect(overflow <= 0, `${study}${place} ${look} scrolls sideways by ${overflow} px`);
      expect(!/[\u2212\u221e]|\d\u202f\d/.test(text), `${study}${place} ${look} has a number that is none when it is copied`);
      if (study === 'empty' && !/queue|events/.test(place)) {
        expect(text.includes('No trial has started yet'), `empty${place} ${look} does not say that there is no trial`);
      }
    }
  }
}

/** Cells whose text does not fit into them. */
const cutOff = (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent);

async function lookAtJobs(page, look) {
  await show(page, '/jobs');
  const bests = await page.locator('td.best').allInnerTexts();
  expect(bests.includes('1.061e-09'), `the jobs ${look} have no 1.061e-09: ${bests}`);
  const cut = await page.locator('td.number').evaluateAll(cutOff);
  expect(cut.length === 0, `numbers of the jobs ${look} are cut off: ${cut}`);
  const shown = await page.locator('td.name .kept').evaluateAll((pieces) => pieces.filter((piece) => piece.scrollWidth <= piece.clientWidth + 1).map((piece) => piece.textContent));
  expect(new Set(shown).size >= longNames.length, `six long names look the same ${look}: ${shown}`);
  await page.locator('#find-jobs').fill('nothing has this name');
  await page.getByText('No job fits “nothing has this name”').waitFor();
}

await withBrowser(async ({open}) => {
  for (const [look, settings] of Object.entries({'on a desktop': {}, 'on a phone': kPhone})) {
    const page = await open(settings);
    await page.context().route('**/*', serve);
    await lookAtJobs(page, look);
    await lookEverywhere(page, look);
    await page.context().close();
  }

  const phone = await open(kPhone);
  await phone.context().route('**/*', serve);
  for (const study of ['tiny', 'many', 'unbroken', 'front', longNames[0]]) {
    await show(phone, `/jobs/${study}`);
    // Without the bar that says that no service answers the stream.
    const tall = await phone.locator('.tab-body').evaluate((body) => body.getBoundingClientRect().top - document.querySelector('main').getBoundingClientRect().top);
    expect(tall <= kPhone.viewport.height * 0.4, `the head of ${study} takes ${Math.round(tall)} px of a phone's ${kPhone.viewport.height}`);
  }
  await phone.context().close();

  const page = await open();
  await page.context().route('**/*', serve);
  await show(page, '/jobs/many');
  const values = await page.locator('.parameters .value').evaluateAll((all) => all.filter((value) => value.clientWidth > 0 && value.getBoundingClientRect().right > value.closest('.best-figure').getBoundingClientRect().right).length);
  expect(values === 0, `${values} values are pushed out of the head`);
  await page.getByRole('button', {name: 'All 30 parameters'}).click();
  expect(await page.locator('.parameters li:visible').count() === 30, 'not all parameters are shown when asked for');

  await show(page, '/jobs/tiny?q=lr%3C0');
  await page.getByText('No trial fits the filter lr<0').waitFor();
  await page.getByRole('button', {name: 'show all 20 trials'}).click();
  await page.getByText('No trial fits the filter').waitFor({state: 'detached'});

  await show(page, '/jobs/front');
  const head = await page.locator('.strip').innerText();
  expect(head.includes('loss') && head.includes('latency_milliseconds'), `the overview names not both metrics: ${head}`);
  const first = await page.locator('.overview figure h2').first().innerText();
  expect(first === 'Pareto front', `the overview of two metrics begins with ${first}`);

  const lines = traceback.split('\n').slice(-4).join('\n');
  for (const [place, where] of [['', '.why-line'], ['/trials/2', '.attempt-end'], ['/events', '.events .more']]) {
    await show(page, `/jobs/tiny${place}`);
    const text = await page.locator(where).first().innerText();
    expect(text.includes(lines), `the traceback lost its lines in ${where}: ${text}`);
  }

  // A name that is shown in pieces is copied in one.
  await show(page, '/jobs');
  const copied = await page.evaluate(() => {
    let text = '';
    window.addEventListener('copy', (event) => (text = event.clipboardData.getData('text/plain')));
    getSelection().selectAllChildren(document.querySelector('td.name'));
    document.execCommand('copy');
    return text;
  });
  expect(longNames.some((name) => copied.includes(name)), `a name was copied as ${JSON.stringify(copied)}`);
});
check(problems.length === 0, `nothing wrong:\n${problems.join('\n')}`);
