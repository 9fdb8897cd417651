// The slider of the parameter in hand. While it moves, frames that the server has computed ahead are drawn over the
// figures, in the browser alone; when it is let go, its value goes to the server, which draws the exact picture.
const STATE = Symbol.for('kernlib.scrub');
const END = Symbol.for('kernlib.scrub.end'); // Streamlit may start a component again before it has ended it
const PACE = 350; // milliseconds of a frame that is played

const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

// The layer of a place; it stays while Streamlit makes anew what is in the place.
function layerOver(place) {
  let layer = place.querySelector(':scope > .kernlib-frame');
  if (!layer) {
    layer = document.createElement('div');
    layer.className = 'kernlib-frame';
    place.append(layer);
  }
  return layer;
}

// Let the style sheet know what a place shows: the layer has the kind, and so has what is below it.
function mark(layer, kind) {
  layer.dataset.kind = layer.parentElement.dataset.frame = kind;
}

function remove(layer) {
  delete layer.parentElement?.dataset.frame;
  layer.parentElement?.style.removeProperty('min-height');
  layer.remove();
}

// The sentence of a value, in place of the sentence at rest until that is another one.
function sentence(text) {
  const place = document.querySelector('.st-key-sentence');
  const own = place?.querySelector('h3');
  if (!own) return;
  const layer = layerOver(place);
  if (!layer.firstChild) {
    layer.setAttribute('role', 'status');
    const words = document.createElement('span');
    const { font, color, letterSpacing } = getComputedStyle(own);
    Object.assign(words.style, { font, color, letterSpacing });
    layer.longest = place.innerText.length;
    layer.append(words);
    const changed = new MutationObserver(found => {
      if (found.every(({ target }) => layer.contains(target))) return;
      remove(layer);
      changed.disconnect();
    });
    changed.observe(place, { characterData: true, childList: true, subtree: true });
  }
  const words = layer.firstChild;
  const [first, ...more] = text.split('\n');
  words.replaceChildren(first, ...more.map(line => Object.assign(document.createElement('p'), { textContent: line })));
  if (text.length <= layer.longest) return layer;
  layer.longest = text.length;
  if (words.offsetHeight > place.offsetHeight) place.style.minHeight = `${words.offsetHeight}px`;
  return layer;
}

// A canvas over the drawing area of a figure.
function overlay(target) {
  const place = [...document.querySelectorAll(`[class*="st-key-fill-"][class*="${target.figure}"]`)].at(-1);
  const plot = place?.querySelector('.js-plotly-plot');
  if (!plot?.querySelector('.nsewdrag')) return null;
  const layer = layerOver(place);
  if (layer.plot !== plot) Object.assign(layer, { plot, parts: new Map() });
  layer.setAttribute('aria-hidden', 'true');
  const area = part(layer, '.nsewdrag');
  const canvas = layer.firstChild ?? document.createElement('canvas');
  layer.replaceChildren(canvas);
  lay(canvas, area);
  const sharp = devicePixelRatio || 1;
  canvas.width = Math.round(area.width * sharp);
  canvas.height = Math.round(area.height * sharp);
  canvas.plot = plot;
  return canvas;
}

// Where a part of the figure is in its layer, and its letters: measured once, a browser takes long to lay out a page.
function part(layer, selector) {
  if (!layer.parts.has(selector)) {
    const own = layer.plot.querySelector(selector);
    const around = layer.getBoundingClientRect();
    const box = own?.getBoundingClientRect();
    layer.parts.set(selector, own && {
      left: box.left - around.left, top: box.top - around.top, width: box.width, height: box.height,
      x: box.left - around.left + box.width / 2, y: box.top - around.top + box.height / 2,
      font: getComputedStyle(own).font, color: getComputedStyle(own).fill, stroke: getComputedStyle(own).stroke,
    });
  }
  return layer.parts.get(selector);
}

function lay(element, { left, top, width, height }) {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

// Words of a frame in the letters of a part of the figure; `shift` moves them by shares of their size.
function write(layer, text, { font, color }, [x, y], shift = '-50% -50%') {
  const words = document.createElement('span');
  words.textContent = text;
  Object.assign(words.style, { font, color, left: `${x}px`, top: `${y}px`, translate: shift });
  layer.append(words);
  return words;
}

// Shades as a picture of so many pixels.
function pixels(shades, palette, width) {
  const picture = document.createElement('canvas');
  picture.width = width;
  picture.height = shades.length / width;
  const image = picture.getContext('2d').createImageData(picture.width, picture.height);
  shades.forEach((shade, i) => image.data.set([...palette.subarray(3 * shade, 3 * shade + 3), 255], 4 * i));
  picture.getContext('2d').putImageData(image, 0, 0);
  return picture;
}

// The colour bar of a matrix, beside it, in the place of the figure's own.
function colourBar(layer, palette, { title, ticks }) {
  const [bar, tick, named] = ['.cbfills', '.cbaxis text', '.cbtitle text'].map(one => part(layer, one));
  if (!bar || !named) return;
  const strip = pixels(Uint8Array.from({ length: 256 }, (_, i) => 255 - i), palette, 1);
  layer.append(strip);
  lay(strip, bar);
  const letters = tick ?? named;
  for (const [share, text] of ticks) {
    write(layer, text, letters, [letters.left, bar.top + (1 - share) * bar.height], '0 -50%');
  }
  const words = write(layer, title.replaceAll('<br>', '\n'), named, [named.left, named.y], '0 -50%');
  Object.assign(words.style, { whiteSpace: 'pre', lineHeight: 1.3 });
}

// The border between shades below and above the middle.
function border(canvas, shades, side, inset) {
  const pen = canvas.getContext('2d');
  const whole = side - 2 * inset;
  const value = ([row, column]) => shades[row * side + column] - 127.5;
  const place = share => ((share + 0.5 - inset) / whole);
  pen.strokeStyle = '#222222';
  pen.lineWidth = 2.8 * (devicePixelRatio || 1);
  pen.beginPath();
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]];
      let drawn = 0;
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % 4];
        const [a, b] = [value(from), value(to)];
        if (a < 0 === b < 0) return;
        const [y, x] = from.map((start, j) => place(start + (a / (a - b)) * (to[j] - start)));
        pen[drawn++ % 2 ? 'lineTo' : 'moveTo'](x * canvas.width, y * canvas.height);
      });
    }
  }
  pen.stroke();
}

// The axes of a map, which each frame fills.
function axes(canvas, { x, y }) {
  const layer = canvas.parentElement;
  const [area, below, beside, rule, across, up] = [
    '.nsewdrag', '.xaxislayer-above text', '.yaxislayer-above text', '.ygrid', '.g-xtitle text', '.g-ytitle text',
  ].map(one => part(layer, one));
  const pen = canvas.getContext('2d');
  pen.strokeStyle = rule?.stroke ?? 'transparent';
  for (const [share, text] of below ? x.ticks : []) {
    write(layer, text, below, [area.left + share * area.width, below.y]);
  }
  for (const [share, text] of beside ? y.ticks : []) {
    const height = (1 - share) * canvas.height;
    pen.beginPath();
    pen.moveTo(0, height);
    pen.lineTo(canvas.width, height);
    pen.stroke();
    write(layer, text, beside, [beside.left + beside.width, area.top + (1 - share) * area.height], '-100% -50%');
  }
  for (const [named, { title }, turn] of [[across, x, '0deg'], [up, y, '-90deg']]) {
    if (named) write(layer, title, named, [named.x, named.y]).style.rotate = turn;
  }
}

const ground = () => getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;

// The outline of a point in its marker, as Plotly draws it.
function outline(pen, x, y, radius, symbol) {
  pen.moveTo(x + radius, y);
  if (symbol.startsWith('diamond')) {
    const r = 1.3 * radius;
    pen.moveTo(x + r, y);
    for (const [dx, dy] of [[0, r], [-r, 0], [0, -r], [r, 0]]) pen.lineTo(x + dx, y + dy);
  } else if (symbol.startsWith('square')) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else if (symbol.startsWith('triangle')) {
    pen.moveTo(x, y - radius);
    for (const [dx, dy] of [[radius, radius], [-radius, radius], [0, -radius]]) pen.lineTo(x + dx, y + dy);
  } else pen.arc(x, y, radius, 0, 7);
}

// The areas and lines of a figure, and over them its points, lines and bars, all in shares of its width and height.
function contents(canvas, frame) {
  const pen = canvas.getContext('2d');
  const sharp = devicePixelRatio || 1;
  for (const { ends, fill, opacity, line } of frame.shapes) {
    const [x0, y0, x1, y1] = ends.map((share, i) => (i % 2 ? (1 - share) * canvas.height : share * canvas.width));
    pen.globalAlpha = opacity;
    pen.fillStyle = fill ?? 'transparent';
    pen.fillRect(x0, y0, x1 - x0, y1 - y0);
    if (!line.width) continue;
    pen.strokeStyle = line.color;
    pen.lineWidth = line.width * sharp;
    pen.setLineDash(line.dash === 'dash' ? [9 * sharp, 9 * sharp] : []);
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  }
  for (const { places, kind, colour, opacity, width, dash, size, symbol, names } of frame.traces) {
    const at = new Uint16Array(bytes(places).buffer);
    const point = i => [(at[2 * i] / 65535) * canvas.width, (1 - at[2 * i + 1] / 65535) * canvas.height];
    const open = symbol.endsWith('open');
    pen.globalAlpha = opacity;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width * sharp;
    pen.setLineDash(dash ? [6 * sharp, 4 * sharp] : []);
    const line = new Path2D();
    for (let i = 0; i < at.length / 2; i++) {
      const [x, y] = point(i);
      const wide = Math.max(1, size * canvas.width);
      if (kind === 'lines') line.lineTo(x, y);
      else if (kind === 'bar') line.rect(x - wide / 2, y, wide, canvas.height - y);
      else {
        const one = new Path2D();
        outline(one, x, y, (size / 2) * sharp, symbol);
        if (open) pen.stroke(one);
        else pen.fill(one); // each for itself: they are translucent
      }
    }
    if (kind === 'lines') pen.stroke(line);
    else pen.fill(line);
    pen.globalAlpha = 1;
    const letters = names.length && part(canvas.parentElement, '.xtick text');
    if (letters) pen.fillStyle = letters.color;
    pen.font = `${12 * sharp}px ${getComputedStyle(canvas).fontFamily}`;
    names.forEach(([text, side], i) => {
      const [x, y] = point(i);
      pen.textAlign = side;
      pen.fillText(text, x, y - size * sharp);
    });
  }
}

const DRAW = {
  matrix(canvas, { side, palettes, lines, inset = 0 }, frame) {
    const pen = canvas.getContext('2d');
    const palette = bytes(palettes[frame.palette]);
    pen.imageSmoothingEnabled = Boolean(frame.traces); // a decision is smooth, entries are not
    const whole = side - 2 * inset; // a figure may end in the middle of its outer cells
    const shades = bytes(frame.shades);
    const picture = pixels(shades, palette, side);
    pen.drawImage(picture, inset, inset, whole, whole, 0, 0, canvas.width, canvas.height);
    colourBar(canvas.parentElement, palette, frame);
    pen.strokeStyle = 'rgba(255, 255, 255, 0.85)';
    for (const share of lines) {
      const [x, y] = [share * canvas.width, share * canvas.height];
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, canvas.height);
      pen.moveTo(0, y);
      pen.lineTo(canvas.width, y);
      pen.stroke();
    }
    if (frame.struck) {
      pen.strokeStyle = '#9aa0a6';
      pen.lineWidth = 4 * (devicePixelRatio || 1);
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(canvas.width, canvas.height);
      pen.stroke();
    }
    if (!frame.traces) return;
    if (frame.palette) border(canvas, shades, side, inset);
    contents(canvas, frame);
  },
  traces(canvas, target, frame) {
    const pen = canvas.getContext('2d');
    pen.fillStyle = ground();
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (frame.x) axes(canvas, frame);
    contents(canvas, frame);
  },
  mark(canvas, target, frame) {
    const traces = [...canvas.plot.querySelectorAll('.scatterlayer .trace')];
    traces.find(trace => trace.__data__?.[0]?.trace?.name === 'now')?.classList.add('kernlib-now');
    const { xaxis, yaxis } = canvas.plot.layout;
    const share = (v, { type, range: [low, high] }) => ((type === 'log' ? Math.log10(v) : v) - low) / (high - low);
    const at = frame.x.map((x, i) => [share(x, xaxis), 1 - share(frame.y[i], yaxis)]);
    const size = frame.mode === 'markers' && frame.marker.size;
    const colour = frame.line.color;
    const sharp = devicePixelRatio || 1;
    const pen = canvas.getContext('2d');
    pen.strokeStyle = colour;
    pen.lineWidth = (size ? 3 : 2) * sharp;
    pen.beginPath();
    for (const [x, y] of at) {
      if (size) pen.arc(x * canvas.width, y * canvas.height, (size / 2) * sharp, 0, 7);
      else pen.lineTo(x * canvas.width, y * canvas.height);
    }
    pen.stroke();
    const layer = canvas.parentElement;
    const [area, letters] = [part(layer, '.nsewdrag'), part(layer, '.xtick text')];
    if (!frame.text || !letters) return;
    const place = frame.text.findIndex(Boolean);
    const left = frame.textposition.includes('left');
    const x = area.left + at[place][0] * area.width + (left ? -4 : 4);
    const y = area.top + at[place][1] * area.height;
    write(layer, frame.text[place], { ...letters, color: colour }, [x, y], left ? '-100% -50%' : '0 -50%');
  },
};

// A frame, or its picture by its name: pictures come apart from the slider, each once (scrub.py).
const pictures = (document[Symbol.for('kernlib.pictures')] ??= new Map());
const pictured = ({ kind }, drawn) => (['sentence', 'mark'].includes(kind) ? drawn : pictures.get(drawn));

// Draw what is known of a value; what is not is dimmed (style.css), but for a figure that only lacks its mark.
function draw(target, drawn) {
  if (target.kind === 'sentence') {
    const layer = sentence(drawn ?? '');
    if (layer) mark(layer, drawn ? target.kind : 'unknown');
    return;
  }
  const canvas = overlay(target);
  if (!canvas) return;
  const kind = drawn?.x && target.kind === 'traces' ? 'axes' : target.kind;
  mark(canvas.parentElement, drawn || kind === 'mark' ? kind : 'unknown');
  if (drawn) DRAW[target.kind](canvas, target, drawn);
}

const overlays = () => document.querySelectorAll('.kernlib-frame');

export default function ({ parentElement, data, setStateValue }) {
  document[END]?.();
  const kept = document[STATE]?.session === data.session ? document[STATE] : { session: data.session, sent: data.done };
  document[STATE] = kept;
  const find = name => parentElement.querySelector(name);
  const [slider, value, play, words] = ['input', 'output', 'button', '.words'].map(find);
  const last = data.stops.length - 1;
  const waits = kept.sent > data.done && kept.name === data.name; // the server has not done the last move yet
  const playing = kept.timer && kept.name === data.name;
  if (!playing) stop();
  kept.name = data.name;
  slider.max = last;
  slider.setAttribute('aria-label', data.label);
  if (!waits && !kept.held && !playing) slider.value = data.index;
  // What is drawn over a figure goes when the figure has the value that was let go.
  const settled = !waits && !kept.held && !playing;
  const redrawn = new MutationObserver(changes => {
    for (const layer of overlays()) if (changes.some(one => layer.parentElement.contains(one.target))) remove(layer);
  });
  const watched = settled ? [...overlays()] : [];
  for (const layer of watched) redrawn.observe(layer.parentElement, { childList: true, subtree: true });
  if (watched.length) kept.late = setTimeout(clear, 4000); // a figure that did not change
  const ends = data.targets.flatMap(target => target.frames.flatMap((frame, i) => (frame ? [i] : [])));
  const [first, final] = ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 0];
  slider.style.setProperty('--from', `${(100 * first) / last}%`);
  slider.style.setProperty('--to', `${(100 * final) / last}%`);
  play.hidden = last < 2;
  label();

  function clear() {
    clearTimeout(kept.late);
    redrawn.disconnect();
    overlays().forEach(remove);
  }
  function label() {
    const now = +slider.value;
    value.textContent = data.stops[now];
    slider.setAttribute('aria-valuetext', data.stops[now]);
    words.textContent = data.words[now] ?? '';
  }
  function frame() {
    clearTimeout(kept.late);
    label();
    const now = +slider.value;
    for (const target of data.targets) draw(target, pictured(target, target.frames[now]));
    document.documentElement.dataset.frame = now;
  }
  function send() {
    kept.held = false;
    if (+slider.value === data.index && !waits) return clear();
    kept.sent += 1;
    setStateValue('moved', [kept.sent, data.name, +slider.value]);
  }
  function stop() {
    clearInterval(kept.timer);
    kept.timer = null;
    play.textContent = '▶';
    play.setAttribute('aria-label', 'Play');
  }
  slider.oninput = () => {
    kept.held = true;
    frame();
  };
  slider.onchange = send;
  play.onclick = () => {
    if (kept.timer) {
      stop();
      return send();
    }
    if (+slider.value === last) slider.value = 0;
    play.textContent = '❚❚';
    play.setAttribute('aria-label', 'Stop');
    kept.timer = setInterval(() => {
      const input = document[STATE].slider;
      if (+input.value === last || !input.isConnected) {
        document[STATE].halt();
        return document[STATE].send();
      }
      input.value = +input.value + 1;
      document[STATE].frame();
    }, PACE);
    frame();
  };
  if (playing) play.textContent = '❚❚';
  Object.assign(kept, { slider, frame, send, halt: stop });
  return (document[END] = () => redrawn.disconnect());
}
