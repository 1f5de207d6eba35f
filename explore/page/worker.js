// Answers requests beside the page, so that it stays awake: first comes the module, then requests with files.
let module = null;
let model = null;

// More bytes are not taken; a browser holds a file more than once while it is looked at.
const MOST_BYTES = 2 ** 30;
const TOO_LARGE = JSON.stringify({ error: 'The file is too large for this page; use `binade report tensor`.' });

// So many parts of long work are done, of so many.
const progress = (done, all) => postMessage({ progress: { done, all } });

const answer = ({ request, file }) => {
  const words = new TextEncoder().encode(request);
  const length = file.length + words.length;
  if (length > MOST_BYTES) return TOO_LARGE;
  model ??= new WebAssembly.Instance(module, { page: { progress } }).exports;
  try {
    const at = model.reserve(length) >>> 0;
    if (at === 0) return TOO_LARGE;
    const memory = new Uint8Array(model.memory.buffer, at, length);
    memory.set(file);
    memory.set(words, file.length);
    model.call(file.length);
    return read();
  } catch (error) {
    const message = read() || String(error);
    model = null;
    return JSON.stringify({ error: `This is a bug of Binade; the address of this page shows it. ${message}` });
  }
};

const read = () => {
  const [at, length] = [model.answer() >>> 0, model.answer_length() >>> 0];
  return new TextDecoder().decode(new Uint8Array(model.memory.buffer, at, length));
};

onmessage = ({ data }) => {
  if (data.module) module = data.module;
  else postMessage({ answer: answer(data) });
};
