// The datapath: how its sections hang together, and what their wires carry.

const showDatapath = ({ inputs, sections, outputs, more_wires: more }) => {
  const place = byId('datapath');
  const boxes = sections.map(showSection);
  place.replaceChildren(...[
    sections.length > 1 ? overview(inputs, sections) : null,
    element('div', { class: 'stages' }, boxes),
    more > 0 ? element('p', { class: 'soft' }, `${more} more wires are in the Verilog.`) : null,
    sections.length === 0 ? element('p', { class: 'soft' }, `There is no wire: ${outputs.map(({ name }) => name).join(', ')} is written at once.`) : null,
  ].filter(Boolean));
};

const titleOf = ({ title, piece }) => [piece, title].filter(Boolean).join(': ') || 'Before all';

const showSection = (section, place) => element('section', { class: 'stage', id: `stage-${place}`, 'aria-label': titleOf(section), tabindex: '-1' },
  element('h4', {}, titleOf(section)),
  element('ul', {}, section.wires.map(showWire)));

const showWire = ({ name, width, value, driver, note, reads }) => element('li', {},
  button(name, (event) => follow(event.currentTarget), { class: 'wire', 'data-wire': name, 'data-reads': reads.join(' '), 'aria-pressed': 'false' }),
  element('span', { class: 'carried' }, code(value.digits), value.decimal === null ? '' : element('span', { class: 'soft' }, ` ${value.decimal}`)),
  element('span', { class: 'driver' }, code(`= ${driver}`), note ? ` ${note}` : ''),
  element('span', { class: 'hidden' }, ` ${width} bit${width === 1 ? '' : 's'}`));

// Marks what a wire is made of and what it goes into.
const follow = (wire) => {
  const isChosen = wire.getAttribute('aria-pressed') === 'true';
  const all = [...document.querySelectorAll('.wire')];
  all.forEach((other) => { other.classList.remove('read', 'reader'); other.setAttribute('aria-pressed', 'false'); });
  if (isChosen) return;
  wire.setAttribute('aria-pressed', 'true');
  const reads = (one, name) => one.dataset.reads.split(' ').includes(name);
  all.forEach((other) => {
    other.classList.toggle('read', reads(wire, other.dataset.wire));
    other.classList.toggle('reader', reads(other, wire.dataset.wire));
  });
};

// More sections than this are a list, and no picture.
const MOST_BOXES = 40;

const BOX = { width: 216, height: 46, right: 24, down: 34 };

// The sections as boxes, each below all that it reads.
const overview = (inputs, sections) => {
  if (sections.length > MOST_BOXES) return null;
  const owner = new Map(sections.flatMap(({ wires }, at) => wires.map(({ name }) => [name, at])));
  const edges = sections.map(({ wires }, at) => [...new Set(wires.flatMap(({ reads }) => reads.map((name) => owner.get(name))))].filter((from) => from !== undefined && from < at));
  const rows = [];
  const depth = [];
  sections.forEach((_, at) => {
    depth[at] = 1 + Math.max(-1, ...edges[at].map((from) => depth[from]));
    (rows[depth[at]] ??= []).push(at);
  });
  const widest = Math.max(...rows.map((row) => row.length));
  const size = { width: widest * (BOX.width + BOX.right), height: rows.length * (BOX.height + BOX.down) };
  const spot = (at) => {
    const row = rows[depth[at]];
    const free = size.width - row.length * (BOX.width + BOX.right);
    return { x: free / 2 + row.indexOf(at) * (BOX.width + BOX.right) + BOX.right / 2, y: depth[at] * (BOX.height + BOX.down) + 4 };
  };
  const line = (from, to) => {
    const [start, end] = [spot(from), spot(to)];
    const [x1, y1, x2, y2] = [start.x + BOX.width / 2, start.y + BOX.height, end.x + BOX.width / 2, end.y];
    return element('path', { d: `M ${x1} ${y1} C ${x1} ${y1 + BOX.down} ${x2} ${y2 - BOX.down} ${x2} ${y2}`, class: 'flow' });
  };
  const box = (section, at) => {
    const { x, y } = spot(at);
    const shown = keyWire(section);
    return element('g', { class: 'box', click: () => byId(`stage-${at}`).scrollIntoView({ block: 'center' }) },
      element('rect', { x, y, width: BOX.width, height: BOX.height, rx: 6 }),
      element('text', { x: x + 8, y: y + 18 }, clipped(titleOf(section), 30)),
      element('text', { x: x + 8, y: y + 36, class: 'soft' }, clipped(`${shown.name} = ${shown.value.digits}`, 29)));
  };
  // The widest of the wires that other sections read, or of all.
  const isRead = new Set(sections.flatMap(({ wires }, at) => wires.flatMap(({ reads }) => reads.filter((name) => owner.get(name) !== at))));
  const keyWire = ({ wires }) => {
    const handed = wires.filter(({ name }) => isRead.has(name));
    return (handed.length > 0 ? handed : wires).reduce((one, other) => (other.width > one.width ? other : one));
  };
  const said = sections.map((section, at) => `${titleOf(section)}${edges[at].length ? ` from ${edges[at].map((from) => titleOf(sections[from])).join(', ')}` : ''}`);
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'How the sections hang together' },
    element('svg', { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, class: 'overview', role: 'img', 'aria-label': said.join('; ') },
      sections.flatMap((_, at) => edges[at].map((from) => line(from, at))), sections.map(box)));
};

const clipped = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);
