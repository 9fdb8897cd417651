// Beside the camera above every figure, which gives a PNG, a button that gives an SVG.
// Streamlit hands Plotly its configuration as JSON, in which a button of one's own cannot stand; so it is added where
// the pointer, a finger or the focus reaches a figure, and Plotly's own camera does the work.
const OURS = 'kernlib-svg';

function add(plot) {
  const camera = plot.querySelector('.modebar-btn[data-title^="Download plot"]');
  if (!camera || plot.querySelector(`.${OURS}`)) return;
  const button = camera.cloneNode(false);
  button.classList.add(OURS);
  button.dataset.title = 'Download plot as SVG, sharp at every size';
  button.setAttribute('aria-label', button.dataset.title);
  const word = document.createElement('span');
  word.textContent = 'SVG';
  word.style.cssText = 'font: 700 10px/16px sans-serif; color: #808080; vertical-align: top; cursor: pointer';
  button.append(word);
  button.onclick = () => {
    const options = plot._context.toImageButtonOptions;
    const usual = options.format;
    options.format = 'svg';
    try {
      camera.click();
    } finally {
      options.format = usual;
    }
  };
  camera.after(button);
}

// Figures carry the page's colours when they come: another theme asks for them anew.
function whenThemeChanges(tell) {
  const app = document.querySelector('[data-testid="stApp"]');
  const scheme = () => getComputedStyle(app).colorScheme;
  let shown = scheme();
  const watch = new MutationObserver(() => {
    if (scheme() !== shown) tell((shown = scheme()));
  });
  watch.observe(app, {attributes: true, attributeFilter: ['class']});
  return watch;
}

// A figure is drawn once where it is sent as high as the style sheet lets it be here: in this window, on this screen.
function whenHeightsChange(known, tell) {
  const fills = Object.keys(known);
  const probes = fills.map(fill => {
    const probe = document.createElement('div');
    probe.className = `st-key-fill-${fill}-`;
    probe.style.cssText = 'position: fixed; top: 0; width: 0; visibility: hidden; pointer-events: none';
    document.body.append(probe);
    return probe;
  });
  let waits;
  const watch = new ResizeObserver(() => {
    clearTimeout(waits);
    waits = setTimeout(() => {
      const heights = Object.fromEntries(fills.map((fill, i) => [fill, probes[i].offsetHeight]));
      if (fills.some(fill => heights[fill] !== known[fill])) tell((known = heights));
    }, 250);
  });
  probes.forEach(probe => watch.observe(probe));
  return {
    disconnect() {
      clearTimeout(waits);
      watch.disconnect();
      probes.forEach(probe => probe.remove());
    },
  };
}

export default function ({data, setTriggerValue, setStateValue}) {
  const watch = whenThemeChanges(scheme => setTriggerValue('theme', scheme));
  const sized = whenHeightsChange(data, heights => setStateValue('heights', heights));
  const reached = event => {
    const plot = event.target.closest?.('.js-plotly-plot');
    if (plot) add(plot);
  };
  const kinds = ['pointerover', 'focusin'];
  for (const kind of kinds) document.addEventListener(kind, reached);
  return () => {
    watch.disconnect();
    sized.disconnect();
    for (const kind of kinds) document.removeEventListener(kind, reached);
  };
}
