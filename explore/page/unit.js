// A unit: what is chosen, what is on its ports, how the result comes about, and its text.

// How a unit is chosen.
const UNIT = [
  { key: 'unit', label: 'Unit', names: 'units' },
  { key: 'format', label: 'Format', list: 'formats', about: 'That of the first section, if it is empty' },
];

// Settings that stand beside these; others are below.
const NEAR = ['acc', 'to', 'format-b', 'round', 'flags', 'lanes', 'operation', 'sum', 'algorithm'];

// What a unit cannot be without is something at first.
const NEEDED = { convert: ['to', 'e4m3fn'], minmax: ['operation', 'minimum-number'], function: ['function', 'tanh'] };

// What is in the registers of a unit with state; nothing after a reset.
let registers = null;

const unitRequest = (ask) => {
  const operands = Object.fromEntries(Object.entries(state.all('x.')).map(([port, texts]) => [port, texts.split('|')]));
  return { ask, words: { format: state.get('format'), ...state.all('unit.') }, operands, state: registers };
};

// Something that a setting is typed or chosen with.
const control = (key, { names, list, placeholder, isFlag }, value) => {
  const change = (event) => { registers = null; edit(`unit.${key}`, isFlag ? (event.target.checked ? 'true' : '') : event.target.value); };
  const shared = { id: `unit-${key}`, 'data-key': key };
  if (isFlag) return element('input', { ...shared, type: 'checkbox', checked: value === 'true', change });
  if (names) {
    const chosen = names.includes(value) ? value : '';
    const none = names.includes(placeholder) ? [] : [element('option', { value: '' }, '')];
    return element('select', { ...shared, change }, none, names.map((name) => element('option', { value: name, selected: name === (chosen || placeholder) }, name)));
  }
  return element('input', { ...shared, value, list, placeholder, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', input: change });
};

const field = (key, label, about, made) => element('label', { class: 'field', title: about }, label, made);

// Replaces the fields of an element. If they are the same ones, they stay, and so does the one that is typed in.
const refill = (place, fields) => {
  const shape = (all) => all.flatMap((one) => [...one.querySelectorAll('input, select, option')].map((part) => part.id || part.textContent)).join();
  const old = [...place.children];
  if (old.length > 0 && shape(old) === shape(fields)) old.forEach((one, at) => renew(one, fields[at]));
  else place.replaceChildren(...fields);
};

// Takes over what is new in a field.
const renew = (old, made) => {
  const [was, is] = [old, made].map((one) => one.querySelector('input, select'));
  if (was !== document.activeElement) Object.assign(was, { value: is.value, checked: is.checked });
  if (is.placeholder) was.placeholder = is.placeholder;
  const parts = [...made.children];
  [...old.children].forEach((part, at) => { if (part !== was) part.replaceWith(parts[at]); });
};

const showChoice = () => {
  const chosen = state.all('unit.');
  const made = ({ key, label, names: listed, list, about }) => {
    const all = listed && names[listed];
    const first = key === 'format' ? state.get('format') : all?.[0];
    return field(key, label, about, control(key, { names: all, list, placeholder: first }, chosen[key] ?? ''));
  };
  return UNIT.filter(({ key }) => key !== 'format' || chosen.unit !== 'random').map(made);
};

// How the unit is built, and its settings.
const showSettings = ({ builds, settings }) => {
  const chosen = state.all('unit.');
  const made = ({ key, about, names: listed, is_flag: isFlag, word }) => {
    const list = ['acc', 'to', 'out', 'format-b', 'quantize-from', 'scale'].includes(key) ? 'formats' : null;
    return field(key, key, about, control(key, { names: listed, list, isFlag, placeholder: word ?? '' }, chosen[key] ?? ''));
  };
  const isNear = ({ key }) => NEAR.includes(key);
  refill(byId('unit-words'), [...showChoice(), ...builds.map(made), ...settings.filter(isNear).map(made)]);
  refill(byId('unit-settings'), settings.filter((setting) => !isNear(setting)).map(made));
};

const showUnit = async () => {
  const words = JSON.stringify([state.get('own'), unitRequest('prove').words]);
  if (words !== shownWords) forgetProof();
  shownWords = words;
  const about = await model.ask('unit', unitRequest('unit'));
  if (!about) return;
  const answer = about.answer;
  say('unit-error', about.error ?? '');
  document.querySelectorAll('#unit-shown .answered').forEach((shown) => { shown.hidden = !answer; });
  if (!answer) {
    const { answer: known } = await model.ask('settings', { ask: 'settings', unit: state.get('unit.unit') }) ?? {};
    return showSettings(known ?? { builds: [], settings: [] });
  }
  showSettings(answer);
  // What the unit computes comes before its latency.
  const computes = answer.about.slice(0, Math.max(1, answer.about.findIndex((line) => line.startsWith('Latency')))).join(' ');
  byId('unit-about').replaceChildren(element('strong', { id: 'module' }, answer.module), ` — ${computes}`);
  say('unit-command', answer.command);
  showCost(answer);
  showOperands(answer);
  showClock(answer);
  showResults(answer);
  byId('steps').replaceChildren(...answer.steps.terms.map(showStep), ...leftOut(answer));
  showDatapath(answer);
  await showText();
};

// What the unit costs, if it was measured.
const measured = unpacked('packed-measured').then((bytes) => JSON.parse(new TextDecoder().decode(bytes))).catch(() => ({}));

const showCost = async ({ module, command }) => {
  const costs = (await measured)[module];
  if (module !== byId('module')?.textContent) return;
  const toMeasure = element('p', { class: 'soft' }, 'To measure this unit: ', code(`${command.replace('binade gen', 'binade synth')} --target ice40,xc7,generic`));
  byId('cost').replaceChildren(...(costs
    ? [table('Measured cost', ['target', 'area', 'cells on the longest path', 'measured with'], costs.map((cost) => [cost.target, cost.area, String(cost.depth), cost.tool]))]
    : [toMeasure]));
};

// The proof that is being made, and the words of the unit that was last shown.
let proof = null;
let shownWords = '';

// A verdict is that of one unit: another one has none yet.
const forgetProof = () => {
  proof?.end();
  proof = null;
  say('proof', '');
  byId('proof-wrong').replaceChildren();
  delete byId('proof').dataset.verdict;
  byId('prove').disabled = false;
  byId('prove-end').hidden = true;
  byId('prove-progress').hidden = true;
};

const showProof = async () => {
  forgetProof();
  const bar = byId('prove-progress');
  const mine = model.askLong(unitRequest('prove'), ({ done, all }) => {
    if (proof !== mine) return;
    Object.assign(bar, { max: all, value: done });
    say('proof', `${done} of ${all} cases are done`);
  });
  proof = mine;
  byId('prove').disabled = true;
  byId('prove-end').hidden = false;
  bar.removeAttribute('value');
  bar.hidden = false;
  const said = await mine.answer;
  if (proof !== mine) return;
  forgetProof();
  if (!said) return say('proof', 'stopped');
  const { answer, error } = said;
  if (!answer) return say('proof', error);
  say('proof', `${answer.module}: ${answer.text}.${answer.verdict === 'open' ? ` ${answer.command} has more ways, and more time.` : ''}`);
  byId('proof').dataset.verdict = answer.verdict;
  const values = answer.wrong.map(({ name, lanes }) => [name, lanes.map(({ code: shown, word }) => shown?.code ?? word).join(' ')]);
  if (values.length > 0) byId('proof-wrong').replaceChildren(table('Operands', ['port', 'code'], values));
};

// One view of the unit at a time.
const VIEWS = ['text', 'result', 'datapath', 'proof'];

const showView = () => {
  const chosen = VIEWS.includes(state.get('view')) ? state.get('view') : VIEWS[0];
  for (const view of VIEWS) {
    byId(`panel-${view}`).hidden = view !== chosen;
    const tab = byId(`tab-${view}`);
    tab.setAttribute('aria-selected', String(view === chosen));
    tab.tabIndex = view === chosen ? 0 : -1;
  }
};

const openViews = () => {
  byId('prove').addEventListener('click', showProof);
  byId('prove-end').addEventListener('click', () => proof?.end());
  for (const view of VIEWS) byId(`tab-${view}`).addEventListener('click', () => edit('view', view));
  byId('tabs').addEventListener('keydown', (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const at = VIEWS.indexOf(document.activeElement.id.replace('tab-', ''));
    const next = VIEWS[(at + way + VIEWS.length) % VIEWS.length];
    edit('view', next);
    byId(`tab-${next}`).focus();
  });
};

const leftOut = ({ steps }) => {
  if (steps.left_out > 0) return [element('p', { class: 'soft' }, `${steps.left_out} terms before these are not shown.`)];
  return steps.terms.length === 0 ? [element('p', { class: 'soft' }, 'This unit rounds nothing: it is a plain function of its operands.')] : [];
};

const shownLane = (lane) => {
  if (lane.code) return [code(lane.code.code), ` ${decimal(lane.code)}`];
  const flags = lane.flags && (lane.flags.length > 0 ? lane.flags.join(', ') : 'none');
  return [code(lane.word), ` ${flags ?? lane.number}`];
};

// The name of a lane of a port, of a matrix with row and column.
const laneName = ({ name, count, columns }, place) => {
  if (columns) return `${name}[${Math.floor(place / columns)}][${place % columns}]`;
  return count > 1 ? `${name}[${place}]` : name;
};

const showOperands = ({ inputs, texts }) => {
  const typed = (port) => port.lanes.map((_, place) => byId(`x-${port.name}-${place}`).value);
  const change = (port) => () => edit(`x.${port.name}`, typed(port).join('|'));
  const lane = (port, at, shown, place) => {
    const name = laneName(port, place);
    const input = element('input', {
      id: `x-${port.name}-${place}`, value: texts[at][place], spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', input: change(port),
    });
    return element('label', { class: 'field' }, element('span', {}, name, element('span', { class: 'soft' }, ` ${shown.code ? shown.format : port.about}`)), input,
      element('span', { class: 'soft' }, shownLane(shown)));
  };
  const groups = inputs.map((port, at) => {
    const fields = port.lanes.map((shown, place) => lane(port, at, shown, place));
    return { port, fields };
  });
  // Ports without a matrix stand side by side; a matrix has a grid of its own.
  const place = byId('operands');
  const shape = groups.map(({ port }) => `${port.name}:${port.columns ?? ''}`).join();
  if (place.dataset.shape !== shape) {
    const made = groups.map(({ port }) => element('div', port.columns
      ? { class: 'matrix', id: `operands-${port.name}`, role: 'group', 'aria-label': `matrix ${port.name}`, style: `--columns: ${port.columns}` }
      : { class: 'fields', id: `operands-${port.name}`, role: 'group', 'aria-label': `operand ${port.name}` }));
    place.replaceChildren(...made);
    place.dataset.shape = shape;
  }
  for (const { port, fields } of groups) refill(byId(`operands-${port.name}`), fields);
  const others = inputs.filter((port) => port.count > port.lanes.length).map((port) => `${port.name} has ${port.count} lanes; those from ${port.lanes.length} on hold what they do at first.`);
  say('operands-more', others.join(' '));
};

// A unit with state goes on from step to step.
const showClock = ({ state: next, registers: held }) => {
  if (!next) return byId('clock').replaceChildren();
  const contents = held.flatMap((port) => port.lanes.slice(0, 8).map((shown) => element('span', {}, `${port.name}: `, shownLane(shown))));
  byId('clock').replaceChildren(
    button('Next step', () => { registers = next; showUnit(); }), button('Reset', () => { registers = null; showUnit(); }),
    element('span', { class: 'soft' }, registers ? 'before the step ' : 'after a reset '), ...contents);
};

const showResults = ({ outputs, circuit, agrees }) => {
  const rows = outputs.flatMap((port, at) => port.lanes.map((shown, place) => [
    laneName(port, place), shown.code ? shown.format : port.about,
    element('span', { 'data-output': port.name }, shownLane(shown)), shown.code?.value ?? '', element('span', {}, shownLane(circuit[at].lanes[place]))]));
  const matrices = outputs.filter(({ columns }) => columns).map(({ name, columns, lanes }) => table(`${name}, a row of the matrix in each row`,
    ['', ...Array.from({ length: columns }, (_, at) => String(at))],
    Array.from({ length: Math.floor(lanes.length / columns) }, (_, row) => [String(row), ...lanes.slice(row * columns, (row + 1) * columns).map((lane) => decimal(lane.code))])));
  byId('results').replaceChildren(...matrices,
    table('Outputs', ['port', 'is', 'golden model', 'exact', 'circuit'], rows),
    element('p', { class: agrees ? 'good' : 'error', id: 'agrees' }, agrees
      ? 'The circuit gives what the golden model gives.' : 'The circuit and the golden model differ: this is a bug of Binade; the address of this page shows it.'));
};

const showStep = ({ text, kind, number, said, rounding }, place) => element('div', { class: 'step' },
  element('p', {}, element('span', { class: 'number' }, String(place + 1)), ` ${kind}: `, code(text), ' = ', element('strong', {}, decimal(number)),
    number.value === number.decimal || number.value.length > 60 ? '' : ` = ${number.value}`),
  said ? element('p', { class: 'soft' }, `${said}.`) : null,
  rounding ? showRounding(rounding) : null);

const showRounding = ({ format, mode, exact, around, chosen, said, flags }) => element('div', { class: 'rounding' },
  element('p', {}, `${decimal(exact)} into ${format}, ${mode}`, chosen ? [': ', code(chosen.code)] : '', '. ', said ? said.join(' ') : 'Nothing is to be rounded.'),
  around ? between(around, chosen?.code) : null,
  flags ? element('p', { class: 'soft' }, `Flags: ${flags.length > 0 ? flags.join(', ') : 'none'}.`) : null);

// The text of the unit.
let text = { file: '', text: '' };

const showText = async () => {
  const about = await model.ask('text', unitRequest('text'));
  if (!about?.answer) return;
  text = about.answer;
  say('tab-text', { verilog: 'Verilog', systemverilog: 'SystemVerilog', vhdl: 'VHDL' }[state.get('unit.language')] ?? 'Verilog');
  say('text', text.text);
  byId('text-about').replaceChildren(`${text.file}, as `, code(text.command), ` writes it${text.pipeline ? `; ${text.pipeline}` : ''}.`);
  byId('download').textContent = `Download ${text.file}`;
};

const download = () => {
  const link = element('a', { href: URL.createObjectURL(new Blob([text.text], { type: 'text/plain' })), download: text.file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Where a page may not copy, all is selected for the reader to do so.
const copy = async () => {
  const isCopied = await navigator.clipboard?.writeText(text.text).then(() => true, () => false);
  if (!isCopied) getSelection().selectAllChildren(byId('text'));
  say('text-about', isCopied ? `${text.file} is copied.` : `${text.file} is selected: copy it with the keyboard.`);
};
