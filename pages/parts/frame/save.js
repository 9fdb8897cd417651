// Two buttons that save the figure of a panel: as PNG by Plotly's own camera, which the style sheet hides, and as SVG.
function vectors(plot, name) {
  const { offsetWidth: width, offsetHeight: height } = plot.querySelector('.svg-container');
  const whole = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [attribute, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    whole.setAttribute(attribute, value);
  }
  for (const layer of plot.querySelectorAll('.main-svg')) whole.append(layer.cloneNode(true));
  const file = new Blob([new XMLSerializer().serializeToString(whole)], { type: 'image/svg+xml' });
  const link = document.createElement('a');
  link.download = `${name}.svg`;
  link.href = URL.createObjectURL(file);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export default function ({ data, parentElement }) {
  const plot = () => document.querySelector(`.${CSS.escape(data.panel)} .js-plotly-plot`);
  const [png, svg] = parentElement.querySelectorAll('button');
  png.onclick = () => plot()?.querySelector('.modebar-btn[data-title^="Download plot"]')?.click();
  svg.onclick = () => plot() && vectors(plot(), data.name);
  svg.hidden = Boolean(plot()?.querySelector('canvas')); // what is drawn on a canvas has no vectors
}
