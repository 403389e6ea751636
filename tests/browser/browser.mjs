// What every test in the browser needs. A test is a script that gets the
// address to sign in with, and fails by throwing.
import {chromium} from 'playwright-core';

// Without a GPU, Chromium's accelerated canvas is emulated, some fifty times
// slower than the plain one.
const kFlags = ['--no-sandbox', '--disable-accelerated-2d-canvas', '--disable-dev-shm-usage'];

export function check(condition, what) {
  if (!condition) throw new Error(`expected ${what}`);
}

/** Runs `test` with a browser, and fails if a page had errors of its own. */
export async function withBrowser(test, options = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...kFlags, ...(options.flags ?? [])],
  });
  const problems = [];
  let shown = null;
  try {
    await test({
      browser,
      /** A window of its own, with its own cookies. */
      async open(settings = {}) {
        const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...settings});
        const page = await context.newPage();
        watch(page, problems);
        shown = page;
        return page;
      },
      /** Forgets problems that the test caused on purpose. */
      forgive(pattern) {
        const left = problems.filter((problem) => !pattern.test(problem));
        problems.splice(0, problems.length, ...left);
      },
    });
  } catch (error) {
    console.error(String(error.stack ?? error));
    console.error(`The page shows:\n${await shown?.locator('body').innerText().then((text) => text.slice(0, 3000), String)}`);
    process.exit(1);
  } finally {
    await browser.close();
  }
  check(problems.length === 0, `no errors in the page:\n${problems.join('\n')}`);
}

function watch(page, problems) {
  page.on('pageerror', (error) => problems.push(`error: ${error.stack ?? error}`));
  // A broken Content-Security-Policy is such a message, too.
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:'].includes(url.protocol)) {
      problems.push(`the page asked for ${request.url()}`);
    }
  });
}

/** Waits until `condition` holds in this process. */
export async function until(condition, what, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
