// The first two sections: a format and a code of it, and what a number is rounded to.

const FIELD_COLORS = 4;

// Bits of more than this are smaller; a longer value is read in the list alone.
const MANY_BITS = 32;
const LONGEST_VALUE = 40;

// What is wrong with the format, the code and the number.
const wrong = { format: '', code: '', value: '' };

const sayWrong = (errors) => {
  Object.assign(wrong, errors);
  say('format-error', wrong.format || wrong.code);
  // What is wrong with the format is said once.
  say('value-error', wrong.value === wrong.format ? '' : wrong.value);
};

const showFormat = async () => {
  const [format, wanted] = [state.get('format'), state.get('code')];
  const about = await model.ask('format', { ask: 'format', format });
  if (!about) return;
  const answer = about.answer;
  sayWrong({ format: about.error ?? '', code: '' });
  byId('format-shown').hidden = !answer;
  if (!answer) return;
  say('summary', `${answer.name}: ${answer.summary}.`);
  byId('facts').replaceChildren(...answer.facts.flatMap(([name, fact]) => [element('dt', {}, name), element('dd', {}, fact)]));
  byId('places').replaceChildren(
    button('−1', () => step(0), { 'aria-label': '−1: the code before' }), button('+1', () => step(1), { 'aria-label': '+1: the code after' }),
    ...answer.places.map(([name, place]) => button(name, () => edit('code', place))));
  showCode(format, wanted || answer.places.find(([name]) => name === '1')?.[1] || answer.places[0][1]);
};

// The format of the user's definition takes the place of the format that is shown.
const showOwn = async () => {
  const text = state.get('own');
  const about = await model.ask('own', { ask: 'own', text });
  if (!about) return;
  say('own-error', text === '' ? '' : about.error ?? '');
  byId('own-box').open ||= text !== '';
  if (about.answer && state.get('own.shown') !== about.answer.name) {
    state.put('own.shown', about.answer.name);
    byId('format').value = about.answer.name;
    edit('format', about.answer.name);
  }
};

let beside = [null, null];

// On to a neighbouring code.
const step = (way) => { if (beside[way]) edit('code', beside[way]); };

const showCode = async (format, wanted) => {
  const about = await model.ask('code', { ask: 'code', format, code: wanted });
  if (!about) return;
  const answer = about.answer;
  sayWrong({ code: about.error ?? '' });
  if (document.activeElement !== byId('code')) byId('code').value = wanted;
  if (!answer) return;
  beside = answer.next;
  showBits(answer);
  const { code: it, toward_zero: toward, away_from_zero: away } = answer;
  const row = (name, shown) => [name, goTo(shown.code), code(shown.value), shown.value === shown.decimal ? '' : decimal(shown)];
  const rows = [toward && row('toward zero', toward), row('this code', it), away && row('away from zero', away)].filter(Boolean);
  byId('code-shown').replaceChildren(
    element('p', { class: 'result', id: 'code-value' }, element('strong', {}, decimal(it)), it.value === it.decimal || it.value.length > LONGEST_VALUE ? '' : ` = ${it.value}`),
    element('dl', { class: 'facts' }, ...[
      ['class', answer.class], ['exact', it.value], ['hexadecimal', it.hexadecimal], ['fraction', it.fraction],
      ['ulp', answer.ulp && `${decimal(answer.ulp)} (${answer.ulp.value})`],
    ].filter(([, fact]) => fact).flatMap(([name, fact]) => [element('dt', {}, name), element('dd', { 'data-fact': name }, fact)])),
    table('Fields', ['field', 'bits', 'says'], answer.fields.map(({ name, bits, about: said }) => [name, code(bits), said])),
    table('Neighbours', ['value', 'code', 'exact', 'decimal'], rows));
};

// The bits as buttons, of which one is a tab stop.
const showBits = ({ bits, colors, code: it }) => {
  const held = [...byId('bits').children].indexOf(document.activeElement);
  const turned = (place) => {
    const flipped = [...bits].map((bit, at) => (at === place ? 1 - bit : bit)).join('');
    return `0x${BigInt('0b' + flipped).toString(16).padStart(it.code.length - 2, '0')}`;
  };
  const stop = held < 0 ? 0 : held;
  const bit = (value, place) => button(value, () => edit('code', turned(place)), {
    class: `bit field-${colors[place] === null ? 'none' : colors[place] % FIELD_COLORS}${place > 0 && colors[place] !== colors[place - 1] ? ' first' : ''}`,
    'aria-pressed': value === '1' ? 'true' : 'false', 'aria-label': `bit ${bits.length - 1 - place} is ${value}`, tabindex: place === stop ? 0 : -1,
  });
  byId('bits').classList.toggle('many', bits.length > MANY_BITS);
  byId('bits').replaceChildren(...[...bits].map(bit));
  if (held >= 0) byId('bits').children[held]?.focus();
};

const moveInBits = (event) => {
  const all = [...byId('bits').children];
  const at = all.indexOf(document.activeElement);
  const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 };
  const to = all[places[event.key]];
  if (at < 0 || !to) return;
  event.preventDefault();
  all.forEach((bit) => { bit.tabIndex = bit === to ? 0 : -1; });
  to.focus();
};

const showValue = async () => {
  const about = await model.ask('value', { ask: 'value', format: state.get('format'), value: state.get('value') });
  if (!about) return;
  const answer = about.answer;
  sayWrong({ value: about.error ?? '' });
  byId('value-shown').hidden = !answer;
  if (!answer) return;
  const { number, around, policies, rows, chances } = answer;
  const cells = (results) => policies.flatMap((_, place) => [
    element('span', {}, goTo(results[place].code), ' ', decimal(results[place])), ulps(results[place].error)]);
  const columns = policies.flatMap((policy) => (policies.length > 1 ? [`beyond: ${policy}`, 'error'] : ['becomes', 'error']));
  const shares = chances && chances.of.map(({ code: it, count }) => `${it.code} (${decimal(it)}) for ${count} of ${chances.all} random words`);
  byId('value-shown').replaceChildren(...[
    element('p', {}, element('strong', {}, state.get('value')), number.is_exact && number.value !== number.decimal ? ` = ${number.value}` : '', around ? `; the values around are ${decimal(around.distance)} apart.` : '.'),
    around ? between(around, answer.code.code) : null,
    table('Roundings', ['rounding', ...columns, 'goes'], rows.map((row) => [row.rounding, ...cells(row.results), row.about])),
    shares && shares.length > 1 ? element('p', { class: 'soft' }, `Stochastically (${chances.rounding}) it becomes ${shares.join(', ')}.`) : null,
  ].filter(Boolean));
};
