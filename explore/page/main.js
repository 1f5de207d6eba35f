// What happens when something is typed, and when the page opens.

// The names that lists offer.
let names = {};

// What is to be shown anew when a value changes.
const shows = (key) => {
  if (key === 'format') return [showFormat, showValue, ...(state.get('unit.format') ? [] : [showUnit])];
  if (key === 'own') return [showOwn];
  if (key === 'code') return [showFormat];
  if (key === 'value') return [showValue];
  if (key === 'compare') return [showCompared];
  if (key === 'on') return [showTensor];
  if (key === 'unit.language') return [showText];
  if (key === 'view') return [showView];
  return [showUnit];
};

// Of another unit, settings and operands are others, too.
const forget = (key, value) => {
  if (key === 'format') state.clear('code');
  if (key === 'unit.unit') {
    const kept = ['unit', 'format', 'language', 'optimize', 'multiplier', 'interface', 'stages'].map((name) => [`unit.${name}`, state.get(`unit.${name}`)]);
    state.clear('unit.');
    kept.forEach(([name, value]) => state.put(name, value));
    const [name, word] = NEEDED[value] ?? [];
    if (name) state.put(`unit.${name}`, word);
  }
  const isOfUnit = key === 'unit.unit' || key === 'unit.format' || (key === 'format' && !state.get('unit.format'));
  if (isOfUnit) state.clear('x.');
  if (isOfUnit) registers = null;
};

// A value has been typed or chosen.
const edit = (key, value) => {
  forget(key, value);
  state.set(key, value);
  for (const show of shows(key)) show();
};

const FIELDS = ['format', 'own', 'code', 'value', 'compare', 'on'];

// Everything as the address has it.
const showAll = async () => {
  for (const key of FIELDS) byId(key).value = state.get(key);
  byId('language').value = state.get('unit.language');
  registers = null;
  showView();
  await Promise.all([showOwn(), showFormat(), showValue(), showUnit(), showCompared()]);
};

const open = async () => {
  const about = await model.ask('names', { ask: 'names' });
  if (!about.answer) return fail(about.error);
  names = about.answer;
  byId('formats').append(...names.formats.map(([name, said]) => element('option', { value: name }, said)));
  byId('language').append(...names.language.map((name) => element('option', { value: name }, name)));
  for (const key of FIELDS) byId(key).addEventListener('input', (event) => edit(key, event.target.value));
  byId('language').addEventListener('change', (event) => edit('unit.language', event.target.value));
  byId('bits').addEventListener('keydown', moveInBits);
  openViews();
  byId('copy').addEventListener('click', copy);
  byId('download').addEventListener('click', download);
  byId('file').addEventListener('change', (event) => take(event.target.files[0]));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); });
  addEventListener('popstate', () => { if (isState()) { state.load(); showAll(); } });
  await showAll();
  document.body.dataset.ready = 'yes';
};

// Whether the address has a state, or names a section only.
const isState = () => location.hash === '' || location.hash.includes('=');

// Ways to sections leave the state in the address.
document.querySelectorAll('nav a').forEach((link) => link.addEventListener('click', (event) => {
  event.preventDefault();
  const heading = byId(link.getAttribute('href').slice(1));
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}));

open();
