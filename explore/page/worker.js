// Answers requests beside the page, so that it stays awake: first comes the module, then requests with files.
let module = null;
let model = null;

const answer = ({ request, file }) => {
  model ??= new WebAssembly.Instance(module, {}).exports;
  const words = new TextEncoder().encode(request);
  try {
    const at = model.reserve(words.length + file.length) >>> 0;
    const memory = new Uint8Array(model.memory.buffer, at, words.length + file.length);
    memory.set(words);
    memory.set(file, words.length);
    model.call(words.length);
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
  else postMessage(answer(data));
};
