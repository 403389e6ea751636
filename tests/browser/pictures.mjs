// Takes the pictures of the README and the docs. Arguments: the address with
// the code, the service's address, the study, one of its trials, and the folder
// for the pictures.
import {mkdirSync} from 'node:fs';
import {withBrowser} from './browser.mjs';

const [address, base, study, trial, folder] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});

const pictures = {
  'study-dark': {view: `/jobs/${study}`, colorScheme: 'dark', height: 900},
  'study-light': {view: `/jobs/${study}`, colorScheme: 'light', height: 900},
  'parallel': {view: `/jobs/${study}/parallel`, colorScheme: 'light', height: 700},
  'importance': {view: `/jobs/${study}/importance`, colorScheme: 'light', height: 800},
  'trial': {view: `/jobs/${study}/trials/${trial}`, colorScheme: 'light', height: 900},
};

await withBrowser(async ({open}) => {
  const first = await open();
  await first.goto(address);
  await first.waitForURL(`${base}/ui/jobs`);
  const cookies = await first.context().cookies();
  for (const [name, {view, colorScheme, height}] of Object.entries(pictures)) {
    const page = await open({colorScheme, viewport: {width: 1280, height}});
    await page.context().addCookies(cookies);
    await page.goto(`${base}/ui${view}`);
    await page.locator('canvas, svg[role=img]').first().waitFor();
    await page.waitForTimeout(2000);
    await page.screenshot({path: `${folder}/${name}.png`});
    await page.context().close();
  }
});
