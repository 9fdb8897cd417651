// A click on a cell of a heatmap whose customdata are row numbers tells the numbers of its two rows.
const TELL = Symbol.for('kernlib.cells');

export default function ({setTriggerValue}) {
  document[TELL] = rows => setTriggerValue('rows', rows); // a figure outlives the component that first heard of it
  const reached = event => {
    const plot = event.target.closest?.('.js-plotly-plot');
    if (!plot?.on || plot[TELL]) return;
    plot[TELL] = true;
    plot.on('plotly_click', ({points: [cell]}) => {
      const {type, customdata: rows} = cell?.data ?? {};
      if (type === 'heatmap' && rows) document[TELL]?.(cell.pointNumber.map(place => rows[place]));
    });
  };
  document.addEventListener('pointerover', reached);
  return () => {
    document.removeEventListener('pointerover', reached);
    document[TELL] = null;
  };
}
