// Measures the dashboard's page in Chromium; bench/dashboard_bench.py runs it.
//
//   node dashboard.mjs MEASUREMENT ADDRESS STUDY
//
// Prints one JSON object.
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

// Those of the tests in the browser.
const here = path.dirname(fileURLToPath(import.meta.url));
const {chromium} = createRequire(path.join(here, '../tests/browser/package.json'))('playwright-core');

const [measurement, address, study] = process.argv.slice(2);
const base = new URL(address).origin;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // Without a GPU the accelerated canvas is emulated.
  args: ['--no-sandbox', '--disable-accelerated-2d-canvas', '--disable-dev-shm-usage'],
});
const context = await browser.newContext({viewport: {width: 1280, height: 900}});
const page = await context.newPage();
await page.goto(address);
await page.waitForURL((url) => !url.pathname.endsWith('/login'));

// Where the parallel coordinates have theirs, in pixels (kSide of parallel.tsx).
const kFirstAxis = 44;

const tab = (name) => `${base}/ui/jobs/${study}/${name}`;

const parentOf = (pid) => Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
function isOurs(pid) {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === process.pid) return true;
  return false;
}

/** All that the tab's process uses, its share of shared pages included, in bytes. */
function largestRenderer() {
  let largest = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer') || !isOurs(Number(pid))) continue;
      const used = /^Pss:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
      largest = Math.max(largest, 1024 * Number(used[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  return largest;
}

/** The longest time between two frames while `act` goes on, in ms. */
async function longestFrame(act) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.isMeasuring_ = true;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      window.frames_.push(now - last);
      last = now;
      if (window.isMeasuring_) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  await page.waitForTimeout(300);
  const frames = await page.evaluate(() => {
    window.isMeasuring_ = false;
    return window.frames_.slice(1);
  });
  frames.sort((a, b) => a - b);
  return {worst: frames.at(-1), median: frames[frames.length >> 1], frames: frames.length};
}

const measurements = {
  /** From the request to the study's plot, with a cold cache. */
  async paint() {
    const times = [];
    for (let i = 0; i < 5; i++) {
      const fresh = await browser.newContext({viewport: {width: 1280, height: 900}});
      await fresh.addCookies(await context.cookies());
      const view = await fresh.newPage();
      const start = Date.now();
      await view.goto(`${base}/ui/jobs/${study}`);
      await view.locator('canvas').first().waitFor();
      await view.waitForFunction(() => {
        const canvas = document.querySelector('canvas');
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 0) return true;
        return false;
      });
      times.push(Date.now() - start);
      await fresh.close();
    }
    times.sort((a, b) => a - b);
    return {milliseconds: times[2], all: times};
  },

  /** Drags along the first axis of the parallel coordinates. */
  async brush() {
    await page.goto(tab('parallel'));
    const plot = page.locator('.plot-body').first();
    await plot.waitFor();
    await page.waitForTimeout(2500);
    const box = await plot.boundingBox();
    const x = box.x + kFirstAxis;
    const moveTo = (i) => page.mouse.move(x, box.y + box.height * (0.3 + 0.015 * i));
    await moveTo(0);
    await page.mouse.down();
    const result = await longestFrame(async () => {
      for (let i = 1; i <= 30; i++) await moveTo(i);
    });
    // From a move until every line of the new brush is there.
    const whole = [];
    for (let i = 29; i >= 10; i--) {
      await page.evaluate(() => {
        performance.clearMarks('parallel-drawn');
        addEventListener('pointermove', (event) => { window.moved_ = event.timeStamp; }, {once: true, capture: true});
      });
      await moveTo(i);
      await page.waitForFunction(() => performance.getEntriesByName('parallel-drawn').length > 0);
      whole.push(await page.evaluate(() => performance.getEntriesByName('parallel-drawn').at(-1).startTime - window.moved_));
    }
    whole.sort((a, b) => a - b);
    await page.mouse.up();
    await page.waitForTimeout(500);
    return {...result, whole: whole[whole.length >> 1], brushed: new URL(page.url()).search !== ''};
  },

  /** Scrolls the table by wheel and by jumps. */
  async table() {
    await page.goto(tab('table'));
    await page.locator('[role=row], tr').nth(3).waitFor();
    await page.waitForTimeout(2500);
    await page.mouse.move(600, 600);
    return longestFrame(async () => {
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i % 5 === 4 ? 200000 : 1500);
    });
  },

  /** Filters the table by what is typed, and takes the filter away. */
  async filter() {
    await page.goto(tab('table'));
    await page.locator('[data-row]').first().waitFor();
    await page.waitForTimeout(2500);
    return longestFrame(async () => {
      for (const text of ['state=completed AND layers>=4', 'layers>=7', 'lr<0.01']) {
        await page.locator('#filter').fill(text);
        await page.keyboard.press('Enter');
        await page.waitForTimeout(1500);
      }
      await page.getByRole('button', {name: 'Clear', exact: true}).click();
      await page.waitForTimeout(500);
    });
  },

  /** What the tab keeps after it has shown everything. */
  async memory() {
    for (const name of ['', 'table', 'parallel', 'curves']) {
      await page.goto(tab(name));
      await page.waitForTimeout(2500);
    }
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(1000);
    return {megabytes: largestRenderer() / 1e6};
  },

  /** Keeps tabs of a study open until standard input ends. */
  async tabs() {
    const count = Number(process.env.TABS ?? 20);
    for (let i = 1; i < count; i++) {
      const another = await context.newPage();
      await another.goto(`${base}/ui/jobs/${study}`);
    }
    await page.goto(`${base}/ui/jobs/${study}`);
    process.stdout.write('{"ready":true}\n');
    await new Promise((done) => process.stdin.on('end', done).resume());
    return {tabs: count};
  },
};

try {
  console.log(JSON.stringify(await measurements[measurement]()));
} finally {
  await browser.close();
}
