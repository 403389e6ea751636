// Writes a job of several metrics and constraints by the rows of its form.
// Arguments: the address with the code, the service's address, the name of a
// job to begin with, and its program.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {check, until, withBrowser} from './browser.mjs';

const [address, base, job, program] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const kStudy = `name: rows
run: /usr/bin/python3 ${program}
metric: {loss: minimize} # lower is better
parameters:
  lr: {log: [1e-5, 0.1]}
  layers: {int: [1, 8]}
trials: 1
`;

await withBrowser(async ({open}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(`${base}/ui/jobs`);
  await page.goto(`${base}/ui/new`);
  const text = page.getByRole('textbox', {name: /^Study file/});
  const row = (name) => page.getByRole('group', {name, exact: true});
  const field = (name, label) => row(name).getByLabel(label, {exact: true});
  const ready = () => page.getByRole('heading', {name: 'Ready to submit'}).waitFor();
  const holds = (part) => until(async () => (await text.inputValue()).includes(part), `${part} in the text`);

  // The service reads the text; until it has, rows are of an earlier one.
  await text.fill(kStudy.replace('trials: 1', 'trials: x'));
  await page.getByRole('heading', {name: '1 problem'}).waitFor();
  check(await page.getByRole('button', {name: 'Add a metric'}).count() === 0 || await page.getByRole('button', {name: 'Add a metric'}).isDisabled(), 'no rows of a text that has a problem');

  // By the keyboard alone: a new row has the focus.
  await text.fill(kStudy);
  await ready();
  check(await field('Metric 1', 'Name').inputValue() === 'loss', 'the metric of the text');
  await page.getByRole('button', {name: 'Add a metric'}).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('accuracy');
  await page.keyboard.press('Tab');
  await page.keyboard.type('max');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0.5');
  await page.getByRole('button', {name: 'Add a constraint on a metric'}).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('memory');
  await page.getByText('Max must be given, or min').waitFor();
  check(await field('Constraint on a metric 1', 'Metric').getAttribute('aria-invalid') === 'true', 'the row to be marked');
  await field('Constraint on a metric 1', 'At most').fill('4e9');
  await page.getByRole('button', {name: 'Add a constraint between parameters'}).click();
  await page.keyboard.type('layers * 1 + lr/64 <= width');
  await page.getByText('no parameter is called "width"').last().waitFor();
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  check(violations.length === 0, `axe to find nothing: ${violations.map(({id, nodes}) => `${id} ${nodes[0].html}`)}`);
  await field('Constraint between parameters 1', 'Inequality or forbidden combination').fill('layers * 1 + lr/64 <= 6');
  await ready();
  const written = kStudy.replace(/metric.*\n/, `metric: {loss: minimize, accuracy: {goal: maximize, reference: 0.5}}
constraints:
- {metric: memory, max: 4e9}
- layers * 1 + lr/64 <= 6
`);
  check(await text.inputValue() === written, `the rows in the text:\n${await text.inputValue()}`);
  await page.getByText('minimizes loss and maximizes accuracy over 2 parameters under 2 constraints').waitFor();
  await page.getByText('The job as it will be stored').click();
  check((await page.locator('.preview').innerText()).includes('layers * 1 + lr/64 <= 6'), 'the constraint in the preview');

  // The draft is still there after a reload, with its rows; what is typed into the text shows in them.
  await page.reload();
  await field('Metric 2', 'Reference').waitFor();
  check(Number(await field('Constraint on a metric 1', 'At most').inputValue()) === 4e9, 'the draft to be kept');
  await text.fill(written.replace('max: 4e9', 'min: 2'));
  await until(async () => await field('Constraint on a metric 1', 'At least').inputValue() === '2', 'the row to follow the text');
  await page.getByRole('button', {name: 'Remove constraint on a metric 1'}).click();
  check(await page.evaluate(() => document.activeElement.id) === 'add-bounds', 'the focus to stay beside what was removed');
  await ready();
  await page.getByRole('button', {name: 'Submit'}).click();
  await page.waitForURL(/\/ui\/jobs\/rows/);

  // Another from it begins with its rows, and goes on from them.
  await page.goto(`${base}/ui/new?from=rows`);
  await holds('jobId: rows_2');
  await ready();
  check(await field('Metric 2', 'Name').inputValue() === 'accuracy' && await field('Metric 2', 'Reference').inputValue() === '0.5', 'the metrics of the earlier job');
  check(await field('Constraint between parameters 1', 'Inequality or forbidden combination').inputValue() === 'layers * 1 + lr/64 <= 6', 'the constraint of the earlier job');
  await page.getByRole('button', {name: 'Remove metric 1'}).click();
  await holds('- {metric: accuracy, goal: MAXIMIZE, reference: 0.5}');
  await ready();
  await page.getByText('The job maximizes accuracy over 2 parameters').waitFor();

  // So does one of a single metric.
  await page.goto(`${base}/ui/new?from=${job}`);
  await holds(`jobId: ${job}_2`);
  await ready();
  check(await page.getByRole('group', {name: /^Constraint/}).count() === 0, 'no constraint of the job before');
  await page.getByRole('button', {name: 'Add a metric'}).click();
  await page.keyboard.type('latency');
  await holds('- {metric: latency, goal: MINIMIZE}');
  await ready();
});
