// Draws plots: a figure has a caption, a specification of Vega-Lite, a place for the plot (`.plot`), and one for the button below it (`.below`).
const plots = (() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const config = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue('--' + name).trim();
    const [ink, soft, line] = ['ink', 'soft', 'line'].map(of);
    const words = { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
    return {
      background: 'transparent', font: 'system-ui, sans-serif', view: { stroke: line },
      axis: { ...words, labelSeparation: 8, gridColor: line, domainColor: soft, tickColor: soft },
      legend: { ...words, orient: 'top', columns: innerWidth < 600 ? 2 : 0, symbolSize: 120, symbolStrokeWidth: 2, labelLimit: 400 },
      text: { color: ink, fontSize: 12 }, bar: { color: of('c0') }, rect: { color: of('c0') }, point: { color: of('c0') },
      line: { color: of('c0') }, tick: { color: of('c0') },
      range: { category: [0, 1, 2, 3, 4, 5, 6, 7].map((number) => of('c' + number)) },
    };
  };
  const save = (view, name) => view.toSVG().then((svg) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    link.download = name + '.svg';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  const draw = async (figure) => {
    const specification = JSON.parse(figure.querySelector('script').textContent);
    const plot = figure.querySelector('.plot');
    const live = document.createElement('div');
    live.className = 'live';
    plot.append(live);
    // Vega interprets its expressions (`ast`): the page's policy lets no text become code.
    const tooltip = { theme: dark.matches ? 'dark' : 'light' };
    const options = { actions: false, ast: true, renderer: 'svg', config: config(), tooltip };
    const { view } = await vegaEmbed(live, specification, options);
    plot.replaceChildren(live);
    let button = figure.querySelector('button');
    if (!button) {
      button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Save as SVG';
      button.setAttribute('aria-label', 'Save as SVG: ' + figure.querySelector('figcaption').textContent);
      figure.querySelector('.below').append(button);
    }
    button.onclick = () => save(view, figure.id);
  };
  return { dark, draw };
})();
