// A film's frame at hand, for the server: one button that says which frame is shown, and keys that step it.
// It reads Plotly's own slider and clicks Plotly's own controls; nothing comes from data.
const SHOWN = Symbol.for('kernlib.film.shown');  // the film and the frame to which it was moved
const END = Symbol.for('kernlib.film');  // as in picture.js: each start ends the one before

export default function (component) {
  document[END]?.();
  const { parentElement, setTriggerValue, data } = component;
  const film = () => document.querySelector('.st-key-film .js-plotly-plot');
  const active = () => film()?.layout?.sliders?.[0]?.active ?? 0;
  // The slider moves to its frame only when the browser paints next, and would end what is played before that.
  const press = number => requestAnimationFrame(() => {
    const found = film()?.querySelectorAll('.updatemenu-button')?.[number];
    if (!found) return;
    const box = found.getBoundingClientRect();
    const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    for (const kind of ['mousedown', 'mouseup', 'click']) found.dispatchEvent(new MouseEvent(kind, at));
  });
  const step = by => go(active() + by);
  const go = number => {
    const rail = film()?.querySelector('.slider-rail-touch-rect');
    const steps = film()?.layout?.sliders?.[0]?.steps?.length ?? 0;
    if (!rail || steps < 2) return;
    const to = Math.max(0, Math.min(steps - 1, number));
    const box = rail.getBoundingClientRect();
    const grip = (film().querySelector('.slider-grip-rect')?.getBoundingClientRect().width ?? 20) / 2;
    const at = {
      bubbles: true,
      clientX: box.x + grip + (box.width - 2 * grip) * (to / (steps - 1)),
      clientY: box.y + box.height / 2,
    };
    rail.dispatchEvent(new MouseEvent('mousedown', at));
    rail.dispatchEvent(new MouseEvent('mouseup', at));
  };
  // A slider hears only of another frame: away and back in one turn, of which Plotly draws the last.
  const again = number => {
    go(number ? number - 1 : 1);
    go(number);
  };
  // A figure that is sent again, with numbers that have arrived, goes on at the frame that was shown. So does one that
  // Streamlit draws a second time, from a copy of what it was sent: that copy may be older than a click.
  const listen = () => {
    const plot = film();
    if (!plot?.on || !plot.layout?.sliders || plot.kernlibFilm) return;
    const name = (plot.kernlibFilm = `${plot.layout.meta?.alt} ${active()}`);
    let drawn = null; // the layout that shows the frame
    plot.on('plotly_click', ({ points }) => {
      if (points[0]?.data?.meta?.step) go(points[0].x);
    });
    plot.on('plotly_sliderchange', () => (document[SHOWN] = { name, frame: active() }));
    plot.on('plotly_afterplot', () => {
      if (plot.layout === drawn || !plot.querySelector('.slider-rail-touch-rect')) return;
      const asSent = drawn === null;
      drawn = plot.layout;
      const { name: of, frame } = document[SHOWN] ?? {};
      if (of === name && !(asSent && frame === active())) again(frame);
    });
  };
  const arrives = new MutationObserver(listen);
  arrives.observe(document.body, { childList: true, subtree: true });
  listen();
  const keys = event => {
    const typing = event.target.closest?.('input, textarea, select, [role=slider], [role=combobox], [role=listbox]');
    if (!film() || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'Home') step(-1e6);
    else if (event.key === 'End') step(1e6);
    else if (event.key === 'p') press(0);
    else if (event.key === 's') press(1);
    else return;
    event.preventDefault();
  };
  const button = parentElement.querySelector('button');
  button.textContent = data.label;
  // Whoever has just switched to the film steps it with the next key, and not back to the live pictures.
  if (document.activeElement?.getAttribute('role') === 'radio') button.focus();
  button.onclick = () => setTriggerValue('frame', active());
  // Plotly keeps the focus where it was: a click on the film takes it.
  const held = event => {
    if (film()?.contains(event.target)) button.focus({ preventScroll: true });
  };
  document.addEventListener('keydown', keys);
  document.addEventListener('pointerdown', held, true);
  return (document[END] = () => {
    arrives.disconnect();
    document.removeEventListener('keydown', keys);
    document.removeEventListener('pointerdown', held, true);
  });
}
