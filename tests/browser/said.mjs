// What programs and people say about trials. Arguments: the address with the
// code, the service's address, a job whose first trial has attributes and a
// note, and a study of a client's whose first trial and itself have attributes.
import {check, withBrowser} from './browser.mjs';

const [address, base, job, study] = process.argv.slice(2);

async function saidAbout(page, path, label) {
  await page.goto(`${base}/ui/jobs/${path}`);
  const panel = page.getByRole('region', {name: label, exact: true});
  await panel.waitFor();
  return (await panel.innerText()).replace(/\s+/g, ' ');
}

await withBrowser(async ({open}) => {
  const page = await open();
  await page.goto(address);
  await page.waitForURL(`${base}/ui/jobs`);
  const ofJob = await saidAbout(page, `${job}/trials/1`, 'Note and attributes');
  for (const text of ['the teacher of all others', 'checkpoint best.pt', 'layers [64,32]', 'looked_at true']) {
    check(ofJob.includes(text), `"${text}" about the job's trial: ${ofJob}`);
  }
  const ofClient = await saidAbout(page, `${encodeURIComponent(study)}/trials/1`, 'Note and attributes');
  check(ofClient.includes('seed 7'), `an attribute of a client's trial: ${ofClient}`);
  const ofStudy = await saidAbout(page, encodeURIComponent(study), 'Attributes');
  check(ofStudy.includes('data v3'), `an attribute of the study: ${ofStudy}`);
  await page.goto(`${base}/ui/jobs/${job}/trials/2`);
  await page.getByRole('heading', {name: 'Why it ended'}).waitFor();
  check(await page.getByRole('heading', {name: 'Note and attributes'}).count() === 0, 'nothing said of a trial that nobody has said anything about');
});
