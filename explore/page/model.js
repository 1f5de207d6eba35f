// What is packed in the page, and the model that answers requests.

// The bytes of an element whose text is base64 of what gzip has packed.
const unpacked = async (id) => {
  const element = document.getElementById(id);
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (character) => character.charCodeAt(0));
  element.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// Says why nothing can be computed.
const fail = (why) => {
  const advice = 'it needs a browser of 2023 or later, with WebAssembly, workers and DecompressionStream';
  document.getElementById('failure').textContent = `This page cannot compute here; ${advice}: ${why || 'the browser does not say why'}.`;
};

const model = (() => {
  // A request that has been overtaken by a newer one for the same place is let run so long.
  const PATIENCE = 500;
  const source = URL.createObjectURL(new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }));
  const waiting = new Map();
  let module = null;
  let worker = null;
  let running = null;

  const start = () => {
    worker = new Worker(source);
    worker.postMessage({ module });
    worker.onmessage = ({ data }) => { if (data.answer) finish(JSON.parse(data.answer)); };
    worker.onerror = broken;
  };

  // A worker that is no more; the next request gets another one. If it had nothing to do, another one would do no better.
  const broken = ({ message }) => {
    worker.terminate();
    worker = null;
    if (!running) return fail(message);
    start();
    finish({ error: `What computes in this page has stopped: ${message || 'the browser does not say why'}.` });
  };

  const finish = (answer) => {
    const job = running;
    const isOvertaken = waiting.has(job.place);
    running = null;
    next();
    job.resolve(isOvertaken ? null : answer);
  };

  const next = () => {
    if (running || !worker || waiting.size === 0) return;
    [, running] = waiting.entries().next().value;
    waiting.delete(running.place);
    try {
      worker.postMessage({ request: running.request, file: running.file });
    } catch (error) {
      finish({ error: `The browser does not pass the file on: ${error.message}.` });
    }
  };

  // Ends a request that nobody waits for any more.
  const overtake = (job) => {
    if (running !== job || !waiting.has(job.place)) return;
    worker.terminate();
    running = null;
    job.resolve(null);
    start();
    next();
  };

  // The answers of the first screen, which are there before the model is.
  const first = unpacked('packed-first').then((bytes) => JSON.parse(new TextDecoder().decode(bytes))).catch(() => ({}));

  // Asks for a place of the page: of several requests for one place the last one is answered, the others are null.
  const ask = async (place, asked, file = new Uint8Array()) => {
    // The model knows the user's definition again each time, since a worker may be new.
    const request = JSON.stringify({ own: state.get('own'), ...asked });
    const known = worker ? undefined : (await first)[request];
    return known ?? queue(place, request, file);
  };

  const queue = (place, request, file) => new Promise((resolve) => {
    waiting.get(place)?.resolve(null);
    waiting.set(place, { place, request, file, resolve });
    const job = running;
    if (job?.place === place) setTimeout(() => overtake(job), PATIENCE);
    next();
  });

  const compiled = unpacked('packed-model').then(WebAssembly.compile);
  compiled.then((made) => {
    module = made;
    start();
    next();
  }).catch((error) => fail(error.message));

  // Asks for long work, which another worker does. `hear` is called with what is done; `end` stops the work, whose answer is then null.
  const askLong = (asked, hear) => {
    const other = new Worker(source);
    let end;
    const answer = new Promise((resolve) => {
      end = (said = null) => { other.terminate(); resolve(said); };
      other.onmessage = ({ data }) => (data.answer ? end(JSON.parse(data.answer)) : hear(data.progress));
      other.onerror = ({ message }) => end({ error: `What computes in this page has stopped: ${message || 'the browser does not say why'}.` });
      compiled.then((module) => {
        other.postMessage({ module });
        other.postMessage({ request: JSON.stringify({ own: state.get('own'), ...asked }), file: new Uint8Array() });
      }, (error) => end({ error: error.message }));
    });
    return { answer, end: () => end() };
  };
  return { ask, askLong };
})();

// The script of the plots, which runs when the first one is drawn.
const vega = (() => {
  let loaded = null;
  const load = async () => {
    const script = document.createElement('script');
    script.textContent = new TextDecoder().decode(await unpacked('packed-vega'));
    document.head.append(script);
  };
  return () => (loaded ??= load());
})();
