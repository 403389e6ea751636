// Does everything that a page can do to a job, and looks at the service for what
// came of it. After each action prints the command that the page says does the same, as
// a JSON string, and waits for a line on standard input.
// Arguments: the address with the code, the service's address, a running job.
import {createInterface} from 'node:readline';
import {check, until, withBrowser} from './browser.mjs';

const [address, base, job] = process.argv.slice(2);
const answers = createInterface({input: process.stdin})[Symbol.asyncIterator]();

async function callerDidTheSame(command) {
  process.stdout.write(JSON.stringify(command) + '\n');
  const {value} = await answers.next();
  check(value === 'ok', `the command to do the same: ${command}: ${value}`);
}

await withBrowser(async ({open, forgive}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(/\/ui\/jobs/);
  await page.goto(`${base}/ui/jobs/${job}`);

  const info = async (name = job) => {
    const answer = await page.request.get(`${base}/ui/api/studies/${name}`);
    return answer.ok() ? answer.json() : null;
  };
  const {csrf} = await (await page.request.get(`${base}/ui/session`)).json();
  const dialog = page.getByRole('dialog');
  const verb = (name) => dialog.getByRole('button', {name, exact: true});

  /** Confirms the open window and returns the command that it showed. */
  async function confirm(name) {
    const command = await dialog.getByRole('group', {name: 'Command'}).textContent();
    await verb(name).click();
    await dialog.waitFor({state: 'detached'});
    return command;
  }
  const button = (name) => page.locator('.view-actions').getByRole('button', {name, exact: true}).click();
  async function menu(name) {
    await page.getByRole('button', {name: 'More actions'}).click();
    await page.getByRole('menuitem', {name: new RegExp(`^${name}\\b`)}).click();
  }

  // A window that is closed does nothing.
  await button('Pause');
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  check((await info()).wanted === 'RUN', 'nothing to be done by a window that was closed');

  await button('Pause');
  let command = await confirm('Pause');
  await until(async () => (await info()).wanted === 'PAUSE', 'the pause');
  await page.getByRole('button', {name: 'Resume', exact: true}).waitFor(); // Seen without a reload.
  await callerDidTheSame(command);

  await button('Resume');
  command = await confirm('Resume');
  await until(async () => (await info()).wanted === 'RUN', 'the resume');
  await callerDidTheSame(command);

  await button('Extend');
  await dialog.getByLabel(/All trials together/).fill('3');
  check(await verb('Extend').isDisabled(), 'no extension to fewer trials');
  await dialog.getByLabel(/All trials together/).fill('61');
  command = await confirm('Extend');
  await until(async () => (await info()).counts.max === 61, 'the extension');
  await callerDidTheSame(command);

  await menu('Add a point');
  await dialog.getByLabel('lr', {exact: true}).fill('7');
  await dialog.getByText(/from 0.0001 to 1/).waitFor();
  check(await verb('Add').isDisabled(), 'no point outside of the space');
  await dialog.getByLabel('lr', {exact: true}).fill('0.0123');
  await dialog.getByLabel('layers', {exact: true}).fill('4');
  await dialog.getByLabel('optimizer', {exact: true}).selectOption('adam');
  command = await confirm('Add');
  const isAdded = ({parameters}) => Number(parameters.lr) === 0.0123 && parameters.layers === '4';
  const trialsOf = async () => (await (await page.request.post(`${base}/ui/rpc/vernier.v1.JobService/ListTrials`,
    {data: {jobId: job}, headers: {'x-vernier-csrf': csrf}})).json()).trials ?? [];
  await until(async () => (await info()).queued.some(isAdded) ||
    (await trialsOf()).some(({parameters}) => isAdded({parameters: Object.fromEntries(parameters.map(({name, value}) => [name, value]))})), 'the point');
  await callerDidTheSame(command);

  // With a source, it is proposed.
  await menu('Add a point');
  await dialog.getByLabel('lr', {exact: true}).fill('0.0321');
  await dialog.getByLabel(/Proposed by/).fill("it's an agent");
  command = await confirm('Add');
  await until(async () => {
    const answer = await page.request.post(`${base}/ui/rpc/vernier.v1.StudyService/GetStudy`, {data: {study: job}, headers: {'x-vernier-csrf': csrf}});
    const {proposedPoints} = await answer.json();
    return (proposedPoints ?? []).some(({source, parameters}) => source === "it's an agent" && parameters.lr === 0.0321);
  }, 'the proposal');
  await callerDidTheSame(command);

  await menu('Labels');
  await dialog.getByLabel(/KEY=VALUE/).fill('team=vision\nphase=2');
  command = await confirm('Save');
  await until(async () => (await info()).labels.team === 'vision', 'the labels');
  await page.getByText('team=vision').first().waitFor();
  await callerDidTheSame(command);
  // What the service refuses is said in the window, which stays.
  await menu('Labels');
  await dialog.getByLabel(/KEY=VALUE/).fill('Team=Vision');
  await verb('Save').click();
  await dialog.getByText(/lower-case/).first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  forgive(/400/);

  await menu('Edit the search');
  const search = dialog.getByLabel(/One parameter or constraint/);
  const lines = await search.inputValue();
  check(lines.split('\n').length === 3 && lines.includes('"parameterName":"lr"'), `the present space: ${lines}`);
  await search.fill(lines + '\n{"parameterName"');
  check(await verb('Edit').isDisabled(), 'no edit that cannot be read');
  await search.fill(lines + '\n{"parameterName":"more","type":"DOUBLE","minValue":0,"maxValue":1}');
  await verb('Edit').click();
  await dialog.getByText(/is new and has no default/).first().waitFor();
  forgive(/400/);
  await search.fill(lines + '\nlr <= 0.9999');
  await confirm('Edit'); // The command names a file, which is nowhere.
  await until(async () => (await info()).constraints.includes('lr <= 0.9999'), 'the edit');

  const words = "a baseline, it's <b>not</b> tuned\nsee \"notes\"";
  await menu('Note');
  await dialog.getByLabel(/whoever looks/).fill(words);
  command = await confirm('Save');
  await until(async () => (await info()).note === words, 'the note');
  check(await page.locator('.study-note').innerText() === words, 'the note, as it was written');
  await callerDidTheSame(command);

  // Of a trial: stop it, run it again.
  const active = async () => (await trialsOf()).filter(({state}) => state === 'ACTIVE').map(({trialId}) => trialId);
  await until(async () => (await active()).length > 0, 'a running trial');
  const trial = (await active()).at(-1);
  await page.goto(`${base}/ui/jobs/${job}/trials/${trial}`);
  await button('Stop');
  command = await confirm('Stop the trial');
  await page.getByText(/Stopped|Completed|Infeasible/).first().waitFor();
  check(!(await active()).includes(trial), 'the trial to have ended');
  await callerDidTheSame(command);
  await button('Run again');
  const own = await dialog.getByLabel('lr', {exact: true}).inputValue();
  command = await confirm('Add');
  await until(async () => (await trialsOf()).filter(({parameters}) => parameters.some(({name, value}) => name === 'lr' && Number(value) === Number(own))).length > 1 ||
    (await info()).queued.some(({parameters}) => Number(parameters.lr) === Number(own)), 'the same values once more');
  await callerDidTheSame(command);

  await page.goto(`${base}/ui/jobs/${job}`);
  await menu('Pause now');
  command = await confirm('Pause now');
  await until(async () => (await info()).counts.running === 0, 'no trial to run');
  check((await info()).wanted === 'PAUSE', 'a paused job');
  await callerDidTheSame(command);

  await menu('Cancel');
  command = await confirm('Cancel the job');
  await until(async () => (await info()).state === 'CANCELLED', 'the cancellation');
  await callerDidTheSame(command);
  await button('Resume');
  command = await confirm('Resume');
  await until(async () => (await info()).state !== 'CANCELLED', 'the job to go on');
  await callerDidTheSame(command);
  // The menu changes when the page has heard of it, also under a pointer.
  await page.locator('.view-actions').getByRole('button', {name: 'Resume', exact: true}).waitFor({state: 'detached'});
  await menu('Cancel');
  command = await confirm('Cancel the job');
  await until(async () => (await info()).state === 'CANCELLED', 'the second cancellation');
  await callerDidTheSame(command);

  // A copy of it under another name, from its own file.
  await menu('Start another from this');
  await page.waitForURL(/\/ui\/new/);
  await page.getByRole('heading', {name: 'Ready to submit'}).waitFor();
  const editor = page.getByLabel('Study file or job file, YAML or JSON');
  const file = await editor.inputValue();
  await editor.fill(file.replace('DOUBLE', 'DUBLE'));
  await page.getByRole('heading', {name: /problem/}).waitFor();
  await page.getByRole('button', {name: /^Line \d+, column \d+$/}).first().click();
  check(await page.getByRole('button', {name: 'Submit', exact: true}).isDisabled(), 'no submission of a wrong file');
  await editor.fill(file);
  await page.getByRole('heading', {name: 'Ready to submit'}).waitFor();
  await page.getByRole('button', {name: 'Submit', exact: true}).click();
  await page.waitForURL((url) => url.pathname.startsWith('/ui/jobs/'));
  const copy = decodeURIComponent(new URL(page.url()).pathname.split('/')[3]);
  check(copy !== job && await info(copy) !== null, `another job, not ${copy}`);
  await page.getByRole('heading', {name: copy}).waitFor();
  await menu('Cancel');
  await confirm('Cancel the job');
  await until(async () => (await info(copy)).state === 'CANCELLED', 'the end of the copy');

  await page.goto(`${base}/ui/jobs/${job}`);
  await menu('Delete');
  command = await confirm('Delete the job');
  await page.waitForURL(/\/ui\/jobs$/);
  await until(async () => await info() === null, 'the deletion');
  await callerDidTheSame(command);
  forgive(/404/);
});
process.exit(0);
