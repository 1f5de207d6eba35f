// Chromium without a network, and the command line of both scripts here.
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

// The script that checks accessibility.
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

// The arguments, and the folder for screenshots, which is created.
export const words = process.argv.slice(2);
export const shots = words[0] === '--shots' ? words.splice(0, 2)[1] : null;
if (shots) mkdirSync(shots, { recursive: true });

// A browser; exits if there is none, or if arguments are missing.
export const launch = async (usage, fewest) => {
  const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath || words.length < fewest) {
    console.error(executablePath ? `usage: node ${usage}` : 'there is no Chromium; set CHROMIUM to its path');
    process.exit(2);
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
};

// The URL of a file.
export const addressOf = (file) => pathToFileURL(resolve(file)).href;

// Reports requests of a page to other addresses than these, and its error messages.
export const watch = (page, isOwn, fail) => {
  page.on('request', (request) => {
    if (!isOwn.test(request.url())) fail(`requests ${request.url()}`);
  });
  page.on('pageerror', (error) => fail(`error ${error}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) fail(`console: ${message.text()}`);
  });
};

// The violations that axe finds, with all details open.
export const violations = async (page) => {
  await page.addScriptTag({ path: axe });
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
  const found = await page.evaluate(() => axe.run());
  return found.violations.map(({ id, nodes }) => `axe: ${id}, ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
};

// Reports the outcome and exits.
export const conclude = async (browser, failures, well) => {
  await browser.close();
  failures.forEach((failure) => console.error(failure));
  if (failures.length > 0) process.exit(1);
  console.log(well);
};
