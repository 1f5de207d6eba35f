// Opens the page of `binade explore` in Chromium, without a network, and uses it: types, clicks, goes back, downloads, drops a file.
//
//   node explore.mjs [--shots FOLDER] PAGE UNITS RTL TENSOR FIGURES
//
// UNITS lists the options of `binade gen` whose files are in the folder RTL; FIGURES is the output of `report tensor --json` for TENSOR.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, conclude, launch, shots, violations, watch, words } from './chromium.mjs';

const browser = await launch('explore.mjs [--shots FOLDER] PAGE UNITS RTL TENSOR FIGURES', 5);
const [file, units, rtl, tensor, figures] = words;
const address = addressOf(file);

const failures = [];
let checks = 0;
const check = (what, got, wanted) => {
  checks += 1;
  const isRight = wanted instanceof RegExp ? wanted.test(got) : got === wanted;
  if (!isRight) failures.push(`${what}: ${JSON.stringify(got)?.slice(0, 300)} where ${wanted} is right`);
};

// In milliseconds: a machine that runs tests beside is slow.
const PATIENCE = 300_000;

const loaded = async (name, options, hash = '', before = () => {}) => {
  const context = await browser.newContext({ ...options, offline: true, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  watch(page, /^(file|data|blob):/, (what) => failures.push(`${name}: ${what}`));
  await page.addInitScript(before);
  await page.goto(address + hash);
  return page;
};

const opened = async (...words) => {
  const page = await loaded(...words);
  await page.waitForSelector('body[data-ready=yes]');
  return page;
};

// Waits until an element has a text; fails if it never has.
const says = async (page, selector, wanted) => {
  const source = wanted instanceof RegExp ? wanted.source : `^${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
  const said = ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? '');
  await page.waitForFunction(said, [selector, source], { timeout: PATIENCE }).catch(() => {});
  check(selector, await page.textContent(selector), new RegExp(source));
};

const wide = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' };

// Formats, codes and values, by typing, clicking and keys.
const formats = async () => {
  const page = await opened('formats', wide);
  await page.fill('#format', 'e5m2b1');
  await page.fill('#code', '0x39');
  await says(page, '#code-value', /^0\.3125 = 1\.25\*2\^-2$/);
  check('the class', await page.textContent('[data-fact=class]'), 'normal');
  check('the fraction', await page.textContent('[data-fact=fraction]'), '5/16');
  await page.click('#bits button:last-child');
  await says(page, '#code-value', /^0\.25 = /);
  check('the code', await page.inputValue('#code'), '0x38');
  await page.focus('#bits button[tabindex="0"]');
  for (const key of ['Home', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await says(page, '#code-value', /^16384 = /);
  check('a pressed bit', await page.getAttribute('#bits button:nth-child(2)', 'aria-pressed'), 'true');
  await page.click('#code-shown button[aria-label="show code 0x79"]');
  await says(page, '#code-value', /^20480 = /);
  await page.fill('#value', '1.1');
  await says(page, '#value-shown', /rtz.*0x40 1.*rup.*0x41 1\.25/s);
  const link = page.url();
  check('the address', link, /^[^?]*#value=1\.1&code=0x79$/);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById('value').value === '0.3');
  await says(page, '#value-shown', /0x39/);
  const other = await opened('a link', wide, new URL(link).hash);
  check('the code of a link', await other.inputValue('#code'), '0x79');
  check('the value of a link', await other.inputValue('#value'), '1.1');
  await page.fill('#format', 'bfloat61');
  await says(page, '#format-error', /did you mean bfloat16/);
  await page.fill('#format', 'e4m3b9');
  await says(page, '#format-error', /use at most b7/);
  await page.fill('#format', 'e4m3fn');
  await page.fill('#value', 'one');
  await says(page, '#value-error', /is no number/);
  await says(page, '#module', 'fmac_e4m3fn_acc_binary16_rne');
  await page.fill('#compare', 'e4m3fn posit8_1');
  await says(page, '#compare-shown', /posit8_1: posit of 8 bits/);
};

// A unit's text equals that of the command, byte for byte, and its circuit agrees with the golden model.
const generated = async () => {
  const page = await opened('units', wide);
  for (const line of readFileSync(units, 'utf8').trim().split('\n')) {
    const options = [...line.matchAll(/--(\S+)(?: (?!--)(\S+))?/g)].map(([, key, word]) => [`unit.${key}`, word ?? 'true']);
    await page.evaluate((hash) => { location.hash = hash; }, `#${new URLSearchParams(options)}`);
    await page.waitForFunction((format) => document.getElementById('unit-format').value === format, Object.fromEntries(options)['unit.format']);
    const [key, word] = options.find(([key]) => key === 'unit.unit');
    await says(page, '#module', new RegExp(`^${word}\\d*_`));
    await page.waitForFunction(() => document.getElementById('text-about').textContent.startsWith(document.getElementById('module').textContent + '.'));
    check(`${line}: the circuit`, await page.textContent('#agrees'), 'The circuit gives what the golden model gives.');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    const name = download.suggestedFilename();
    const text = readFileSync(await download.path(), 'utf8');
    const native = existsSync(join(rtl, name)) ? readFileSync(join(rtl, name), 'utf8') : `there is no ${name}`;
    check(`${line}: ${name} is that of the command`, text === native, true);
  }
};

// The first screen is there without the model, and the cost of a unit is the one that was measured.
const first = async () => {
  const page = await loaded('the first screen', wide, '', () => { WebAssembly.compile = () => new Promise(() => {}); });
  await says(page, '#module', 'fmac_e5m2b1_acc_binary16_rne');
  await says(page, '#text', /module fmac_e5m2b1_acc_binary16_rne/);
  await says(page, '#value-shown', /0x39/);
  check('bits of the code', await page.locator('#bits button').count(), 8);
  check('the unit is in the first screen', await page.evaluate(() => byId('module').getBoundingClientRect().bottom < innerHeight), true);
  await says(page, '#cost', /Lattice iCE40\d+ LUT4 \+ \d+ carry cells.*Yosys/);
  const other = await opened('another unit', wide, '#unit.unit=mul&unit.format=e7m5');
  await says(other, '#cost', /To measure this unit: binade synth --format e7m5 --unit mul/);
};

// Operands and results.
const operands = async () => {
  const page = await opened('operands', wide, '#unit.unit=fmac&unit.format=e5m2&unit.flags=true');
  await page.focus('#tab-text');
  await page.keyboard.press('ArrowRight');
  check('the view that a key chose', await page.evaluate(() => document.activeElement.id), 'tab-result');
  check('the views that are shown', await page.locator('[role=tabpanel]:visible').count(), 1);
  await page.fill('#x-a-0', '3');
  await page.fill('#x-b-0', '0x3c');
  await page.fill('#x-c-0', '2^1');
  await says(page, '#unit-error', /c: "2\^1" is no number/);
  await page.fill('#x-c-0', '65504');
  await says(page, '[data-output=y]', /^0x7bff 65504$/);
  await says(page, '[data-output=flags]', /inexact/);
  await says(page, '#steps', /sum: a \* b \+ c = 65507/);
  await page.click('#tab-datapath');
  await page.click('.wire[data-wire=round_up]');
  check('a chosen wire', await page.getAttribute('.wire[data-wire=round_up]', 'aria-pressed'), 'true');
  check('wires that it reads', await page.locator('.wire.read').count() > 0, true);
  await page.fill('#unit-round', 'rtz');
  await says(page, '#module', 'fmac_e5m2_acc_binary16_rtz_flags');
  check('the field that is typed in', await page.evaluate(() => document.activeElement.id), 'unit-round');
  await page.selectOption('#unit-unit', 'convert');
  await says(page, '#module', 'convert_e5m2_to_e4m3fn_rne');
  await page.fill('#unit-to', 'e4m3fnn');
  await says(page, '#unit-error', /unknown format e4m3fnn/);
  await page.fill('#unit-to', 'int8');
  await says(page, '#module', 'convert_e5m2_to_int8_rne');
  await page.selectOption('#unit-unit', 'accumulate');
  await says(page, '#module', 'accumulate_e5m2_acc_binary16_rne');
  await page.click('#tab-result');
  await page.click('#clock button');
  await says(page, '#clock', /before the step/);
  await page.selectOption('#unit-unit', 'mma');
  await page.fill('#unit-format', 'e5m2');
  await says(page, '#module', 'mma4x4x4_e5m2_acc_binary16_rne');
  check('the description', await page.textContent('#unit-about'), /Rows follow each other on the ports, the first element lowest\. d\[i\]\[j\] is /);
  check('fields of a matrix', await page.locator('#operands-b input').count(), 16);
  check('columns of a matrix', await page.evaluate(() => getComputedStyle(document.getElementById('operands-b')).gridTemplateColumns.split(' ').length), 4);
  check('the name of an element', await page.textContent('#operands-b label:nth-child(7) span'), /^b\[1\]\[2\]/);
  check('rows of the result', await page.locator('#results .scroll:first-child tbody tr').count(), 4);
};

// A unit proven in the page.
const proofs = async () => {
  const page = await opened('a proof', wide, '#unit.unit=add&unit.format=e5m2&view=proof');
  await says(page, '#module', 'add_e5m2_rne');
  await page.click('#prove');
  await says(page, '#proof', /^add_e5m2_rne: proven for all 2\^16 inputs, in \d+ cases\.$/);
  check('the button to stop', await page.isVisible('#prove-end'), false);
  await page.selectOption('#unit-unit', 'mul');
  await says(page, '#module', 'mul_e5m2_rne');
  check('a verdict of another unit', await page.textContent('#proof'), '');
  await page.fill('#unit-format', 'binary32');
  await says(page, '#module', 'mul_binary32_rne');
  await page.click('#prove');
  await says(page, '#proof', /the page proves units of up to .*; binade prove --format binary32 --unit mul .*proves this unit/);
  await page.fill('#unit-format', 'e4m3fn');
  await page.selectOption('#unit-unit', 'mma');
  await says(page, '#module', 'mma4x4x4_e4m3fn_acc_binary16_rne');
  await page.click('#prove');
  await says(page, '#proof', /^\d+ of \d+ cases are done$/);
  await page.click('#prove-end');
  await says(page, '#proof', 'stopped');
  check('the progress of a proof that is stopped', await page.isVisible('#prove-progress'), false);
};

const file_of_numbers = async () => {
  const page = await opened('a tensor', wide);
  await page.fill('#on', 'e5m2 posit8_1');
  await page.setInputFiles('#file', tensor);
  await page.waitForSelector('#tensor-shown[data-drawn]');
  const { all } = JSON.parse(readFileSync(figures, 'utf8'));
  const table = await page.evaluate(() => [...document.querySelectorAll('#tensor-shown figure:first-of-type tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent)));
  for (const { format, plain, scaled, blocks } of all) {
    const shown = table.filter((row) => row[0] === format).map((row) => row[4]);
    check(`SQNR of ${format}`, shown.join(), [plain, scaled, blocks].map(({ sqnr_db }) => sqnr_db.toFixed(2)).join());
  }
  await page.setInputFiles('#file', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('1 2 3') });
  await says(page, '#tensor-error', /which ends in/);
};

// No accessibility violation, and nothing wider than the screen.
const looks = async (name, options) => {
  const page = await opened(name, options, '#format=e5m2&unit.unit=mul&unit.flags=true');
  await says(page, '#agrees', /^The circuit gives/);
  await page.setInputFiles('#file', tensor);
  await page.waitForSelector('#tensor-shown[data-drawn]');
  check(`${name}: pixels beyond the screen`, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  if (shots) await page.screenshot({ path: join(shots, `explore-${name}.png`), fullPage: true });
  failures.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
};

// Errors are shown, and the next request is answered.
const troubles = async () => {
  // Workers can be watched from here.
  const page = await opened('troubles', wide, '', () => {
    window.workers = [];
    window.Worker = class extends Worker {
      constructor(...words) { super(...words); window.workers.push(this); }
    };
  });
  await says(page, '#agrees', /^The circuit gives/);
  const asked = (...requests) => page.evaluate((requests) => Promise.all(requests.map(([place, code, file]) => (
    model.ask(place, { ask: 'code', format: 'e5m2', code }, file)))), requests);
  const value = (about) => about?.error ?? about?.answer.code.decimal ?? null;
  check('an overtaken answer', JSON.stringify((await asked(['test', '0x3c'], ['test', '0x40'])).map(value)), '[null,"2"]');
  const [large] = await asked(['test', '0x3c', { length: 2 ** 31 }]);
  check('a large file', value(large), /^The file is too large for this page/);
  // A wrong length ends in an error other than a panic, and the previous answer is not shown as its message.
  const [broken] = await asked(['test', '0x3c', { length: -1 }]);
  check('an error without a message', value(broken), /^This is a bug of Binade.*RangeError/);
  const stopped = page.evaluate(() => {
    const answer = model.ask('test', { ask: 'names' });
    window.workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
    return answer;
  });
  check('a worker that stops', value(await stopped), 'What computes in this page has stopped: out of memory.');
  check('the worker after it', value((await asked(['test', '0x3c']))[0]), '1');
  await page.evaluate(() => take({ name: 'a.npy', arrayBuffer: () => Promise.reject(new Error('it is gone')) }));
  await says(page, '#tensor-error', 'a.npy cannot be read: it is gone');
  await page.fill('#format', 'e5m2');
  await page.fill('#code', '0x1ff');
  await page.fill('#value', 'one');
  await says(page, '#format-error', /is no code of e5m2/);
  await says(page, '#value-error', /is no number/);
  await page.fill('#format', 'e5m2b99');
  await says(page, '#value-error', '');
  const old = await loaded('an old browser', wide, '', () => { delete window.DecompressionStream; });
  await says(old, '#failure', /needs a browser of 2023 or later.*DecompressionStream is not defined/);
};

const light = { colorScheme: 'light' };
const dark = { colorScheme: 'dark' };
const narrow = { viewport: { width: 390, height: 844 } };
const large = { viewport: { width: 1920, height: 1080 } };
const tests = [
  proofs, first, formats, generated, operands, file_of_numbers, troubles,
  () => looks('light', wide),
  () => looks('dark', { ...wide, ...dark }),
  () => looks('narrow', { ...narrow, ...dark }),
  () => looks('narrow-light', { ...narrow, ...light }),
  () => looks('large', { ...large, ...light }),
  () => looks('large-dark', { ...large, ...dark }),
];

// Each page compiles the module, so only a few are open at a time.
const PAGES = 3;
const runTests = async () => {
  for (let test = tests.shift(); test; test = tests.shift()) {
    await test().catch((error) => failures.push(String(error.stack ?? error)));
  }
};
await Promise.all(Array.from({ length: PAGES }, runTests));
await conclude(browser, failures, `the page of explore: ${checks} checks, offline, without a request, an error or a violation`);
