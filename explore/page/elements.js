// Elements, and how numbers are shown.

const byId = (id) => document.getElementById(id);

// An element with attributes and children; an attribute that is a function is an event's.
const element = (name, attributes = {}, ...children) => {
  const made = document.createElementNS(SVG_NAMES.has(name) ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
};

const SVG_NAMES = new Set(['svg', 'line', 'circle', 'path', 'text', 'rect', 'g', 'marker', 'defs']);

const button = (text, click, attributes = {}) => element('button', { type: 'button', click, ...attributes }, text);

// Rows of cells below the names of their columns; a cell is a text or an element.
const table = (caption, columns, rows, place = '') => element('div',
  { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': place ? `${caption}: ${place}` : caption },
  element('table', {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, columns.map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, rows.map((row) => element('tr', {}, row.map((cell, place) => (
      place === 0 ? element('th', { scope: 'row' }, cell) : element('td', {}, cell))))))));

// A number in decimal: exactly, or nearly.
const decimal = (number) => (number.is_exact ? number.decimal : `≈ ${number.decimal}`);

const code = (text) => element('code', {}, text);

// A difference in units of the distance of values.
const ulps = (error) => {
  if (error === null) return '';
  if (error === 0) return 'exact';
  return `${error > 0 ? '+' : '−'}${Number(Math.abs(error).toPrecision(4))} ulp`;
};

// A way to a code of the format that is shown.
const goTo = (hexadecimal) => button(hexadecimal, () => edit('code', hexadecimal), { class: 'code', 'aria-label': `show code ${hexadecimal}` });

// A number between its neighbours: where it lies, and where it goes.
const between = (around, chosen) => {
  const { lower, upper, part } = around;
  const [left, right, y] = [70, 330, 34];
  const at = left + (right - left) * Math.min(Math.max(part, 0), 1.12);
  const end = (x, shown, name) => [
    element('line', { x1: x, x2: x, y1: y - 8, y2: y + 8, class: 'axis' }),
    element('text', { x, y: y + 24, class: shown && chosen === shown.code ? 'chosen' : '' }, shown ? decimal(shown).slice(0, 16) : name),
    element('text', { x, y: y + 39, class: 'soft' }, shown?.code ?? ''),
  ];
  const target = chosen === upper?.code ? right : chosen === lower?.code ? left : null;
  const said = `The number is ${Number((100 * part).toPrecision(4))} % of the way from ${lower?.code ?? 'zero'} to ${upper?.code ?? 'beyond the largest value'}.`;
  return element('svg', { viewBox: '0 0 400 78', class: 'between', role: 'img', 'aria-label': said },
    element('line', { x1: left - 40, x2: right + 40, y1: y, y2: y, class: 'axis' }),
    element('line', { x1: (left + right) / 2, x2: (left + right) / 2, y1: y - 6, y2: y + 6, class: 'half' }),
    end(left, lower, 'zero'), end(right, upper, 'beyond'),
    target === null || target === at ? null : element('path', { d: `M ${at} ${y - 8} Q ${(at + target) / 2} ${y - 32} ${target} ${y - 10}`, class: 'way' }),
    element('circle', { cx: at, cy: y, r: 5, class: 'exact' }));
};

const say = (id, text) => { byId(id).textContent = text; };
