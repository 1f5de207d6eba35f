// Opens pages in Chromium, without a network: every plot is drawn, nothing is requested, nothing is complained of, and axe finds
// no violation, in the light and in the dark, on a wide and on a narrow screen. Without scripts, the static pictures are there.
//
//   node pages.mjs [--shots FOLDER] PAGE..
import { existsSync, mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const words = process.argv.slice(2);
const shots = words[0] === '--shots' ? words.splice(0, 2)[1] : null;
if (shots) mkdirSync(shots, { recursive: true });

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = candidates.find((path) => path && existsSync(path));
if (!executablePath || words.length === 0) {
  console.error(executablePath ? 'usage: node pages.mjs [--shots FOLDER] PAGE..' : 'there is no Chromium; set CHROMIUM to its path');
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});

const failures = [];
const views = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'without scripts', colorScheme: 'light', viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
];

for (const file of words) {
  for (const { name, ...options } of views) {
    const fail = (what) => failures.push(`${file}, ${name}: ${what}`);
    const context = await browser.newContext({ ...options, offline: true });
    const page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) fail(`requests ${request.url()}`);
    });
    page.on('pageerror', (error) => fail(`error ${error}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) fail(`console: ${message.text()}`);
    });
    await page.goto(pathToFileURL(resolve(file)).href);
    if (options.javaScriptEnabled === false) {
      const figures = await page.locator('figure').count();
      const pictures = await page.locator('figure .plot > svg[role=img]').count();
      if (figures === 0 || pictures !== figures) fail(`${pictures} static pictures in ${figures} figures`);
    } else {
      await page.waitForSelector('body[data-drawn=yes]', { timeout: 60_000 }).catch(() => fail('not all plots are drawn'));
      const [figures, drawn, empty] = await page.evaluate(() => {
        const all = [...document.querySelectorAll('figure')];
        const marks = (figure) => figure.querySelectorAll('.live svg .mark-line path, .live svg .mark-rect path, .live svg .mark-symbol path, .live svg .mark-rule line').length;
        return [all.length, document.querySelectorAll('figure .live svg').length, all.filter((figure) => marks(figure) === 0).map((figure) => figure.id)];
      });
      if (figures === 0 || drawn !== figures) fail(`${drawn} plots in ${figures} figures`);
      if (empty.length > 0) fail(`nothing is drawn in ${empty.join(', ')}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) fail(`is ${wide} pixels wider than the screen`);
      await page.addScriptTag({ path: axe });
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
      const { violations } = await page.evaluate(() => axe.run());
      for (const { id, nodes } of violations) fail(`axe: ${id}, ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = false; }));
    }
    if (shots) await page.screenshot({ path: `${shots}/${basename(file, '.html')}-${name.replaceAll(' ', '-')}.png`, fullPage: true });
    await context.close();
  }
}
await browser.close();
failures.forEach((failure) => console.error(failure));
if (failures.length > 0) process.exit(1);
console.log(`${words.length} pages are drawn, offline, without a request, an error or a violation, in ${views.length} views each`);
