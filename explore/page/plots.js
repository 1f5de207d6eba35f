// Sections of the pages that `binade report` writes: formats side by side, and formats on the numbers of a file.

const words = (text) => text.trim().split(/\s+/).filter(Boolean);

// Sections with text, tables and plots; the plots are drawn when they are there.
const showSections = async (place, prefix, { lead, note, sections }) => {
  const rows = (shown) => `${shown.rows.length} row${shown.rows.length === 1 ? '' : 's'}`;
  const figure = ({ title, specification, table: shown }, number) => element('figure', { id: `${prefix}-${number}` },
    element('figcaption', {}, title),
    element('div', { class: 'plot' }),
    element('script', { type: 'application/json' }, JSON.stringify(specification)),
    element('div', { class: 'below' }, element('details', {},
      element('summary', {}, `Table: ${shown.caption} (${rows(shown)})`), table(shown.caption, shown.columns, shown.rows, title))));
  let number = 0;
  const section = ({ title, text, tables, figures }) => [
    element('h3', {}, title),
    text.length > 0 ? element('details', {}, element('summary', {}, `How to read: ${title}`), text.map((paragraph) => element('p', {}, paragraph))) : null,
    ...tables.map((shown) => table(shown.caption, shown.columns, shown.rows, title)),
    ...figures.map((shown) => { number += 1; return figure(shown, number); }),
  ].filter(Boolean);
  place.replaceChildren(...[lead, note].filter(Boolean).map((text) => element('p', {}, text)), ...sections.flatMap(section));
  await vega();
  await Promise.all([...place.querySelectorAll('figure')].map(plots.draw));
  place.dataset.drawn = String(Number(place.dataset.drawn ?? 0) + 1);
};

const showCompared = async () => {
  const about = await model.ask('compare', { ask: 'formats', formats: words(state.get('compare')) });
  if (!about) return;
  say('compare-error', about.error ?? '');
  byId('compare-shown').hidden = !about.answer;
  if (about.answer) await showSections(byId('compare-shown'), 'compare', { ...about.answer, lead: null });
};

// The file that was dropped last.
let dropped = null;

const showTensor = async () => {
  if (!dropped) return;
  say('tensor-status', `${dropped.name}: ${dropped.bytes.length} bytes are looked at.`);
  const request = { ask: 'tensor', name: dropped.name, formats: words(state.get('on')) };
  const about = await model.ask('tensor', request, dropped.bytes);
  if (!about) return;
  say('tensor-status', '');
  say('tensor-error', about.error ?? '');
  byId('tensor-shown').hidden = !about.answer;
  if (about.answer) await showSections(byId('tensor-shown'), 'tensor', about.answer);
};

const take = async (file) => {
  if (!file) return;
  const bytes = await file.arrayBuffer().catch((error) => say('tensor-error', `${file.name} cannot be read: ${error.message}`));
  if (!bytes) return;
  dropped = { name: file.name, bytes: new Uint8Array(bytes) };
  byId('section-tensor').scrollIntoView();
  await showTensor();
};

// In another light all plots are drawn anew.
plots.dark.addEventListener('change', () => document.querySelectorAll('figure').forEach(plots.draw));
