// What the page shows, as the address has it behind #. What is as at first is not in it.
const state = (() => {
  const FIRST = {
    format: 'e5m2b1', code: '', value: '0.3', compare: 'e5m2b1 e5m2 posit8_1 bfloat16', on: 'e5m2 e4m3fn e5m2b1 posit8_1',
    'unit.unit': 'fmac', 'unit.language': 'verilog', view: 'text',
  };
  let values = {};
  let last = null;

  const load = () => {
    const text = location.hash.slice(1);
    values = text.includes('=') ? { ...FIRST, ...Object.fromEntries(new URLSearchParams(text)) } : { ...FIRST };
    last = null;
  };

  const address = () => {
    const changed = Object.entries(values).filter(([key, value]) => value !== (FIRST[key] ?? ''));
    return '#' + new URLSearchParams(changed);
  };

  // Changes of one field that follow each other are one step back.
  const set = (key, value) => {
    if ((values[key] ?? '') === value) return;
    values[key] = value;
    history[last === key ? 'replaceState' : 'pushState'](null, '', address());
    last = key;
  };

  const get = (key) => values[key] ?? '';

  // Sets a value without a step of its own.
  const put = (key, value) => { values[key] = value; };

  // The values whose keys begin so, without that.
  const all = (prefix) => {
    const those = Object.entries(values).filter(([key, value]) => key.startsWith(prefix) && value !== '');
    return Object.fromEntries(those.map(([key, value]) => [key.slice(prefix.length), value]));
  };

  // Forgets what was said of operands, as of another unit.
  const clear = (prefix) => {
    for (const key of Object.keys(values)) if (key.startsWith(prefix)) delete values[key];
  };

  load();
  return { load, set, put, get, all, clear };
})();
