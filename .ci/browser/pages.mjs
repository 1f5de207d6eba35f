// Opens pages in Chromium, without a network: every plot is drawn, there are no requests and no error messages, and axe finds
// no violation, in light and dark mode, on a wide and on a narrow screen. Without scripts, the static pictures are shown.
//
//   node pages.mjs [--shots FOLDER] PAGE..
import { basename } from 'node:path';
import { addressOf, conclude, launch, shots, violations, watch, words } from './chromium.mjs';

const browser = await launch('pages.mjs [--shots FOLDER] PAGE..', 1);
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
    watch(page, /^(file|data):/, fail);
    await page.goto(addressOf(file));
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
      (await violations(page)).forEach(fail);
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = false; }));
    }
    if (shots) await page.screenshot({ path: `${shots}/${basename(file, '.html')}-${name.replaceAll(' ', '-')}.png`, fullPage: true });
    await context.close();
  }
}
await conclude(browser, failures, `${words.length} pages are drawn, offline, without a request, an error or a violation, in ${views.length} views each`);
