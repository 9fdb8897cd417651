// Surfaces to draw on, SVG in the page's colours: a curve drawn freely or bent, rows to select, items to order.
// Mouse, finger and keyboard alike. Nothing is loaded from anywhere. An offline lesson uses the same functions.
const NS = 'http://www.w3.org/2000/svg';
// The view box has the width of its place, so that letters keep their size; margins grow with the letters.
let [W, H, narrow, em] = [900, 640, false, 1];
let [LEFT, RIGHT, TOP, BOTTOM] = [76, 20, 16, 58];

function make(name, attributes = {}, parent = null, text = '') {
  const node = name.startsWith('html:')
    ? document.createElement(name.slice(5)) : document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

function surface(root, label, shape = [76, 20, 16, 58], height = 1) {
  W = root.clientWidth || 900;
  narrow = W < 600;
  // Beside other things the whole surface is in view; on a phone it has the shape of its items.
  H = innerWidth < 600 ? Math.round(W * height) : Math.round(Math.min(W * 0.71, Math.max(320, innerHeight * 0.55)));
  em = letters();
  [LEFT, RIGHT, TOP, BOTTOM] = shape.map(size => size * em);
  const svg = make('svg', {viewBox: `0 0 ${W} ${H}`, tabindex: '0', role: 'application', 'aria-label': label}, root);
  svg.style.cssText = 'width: 100%; touch-action: none; display: block; cursor: crosshair; user-select: none';
  const live = make('html:div', {'aria-live': 'polite', class: 'live'}, root);
  return [svg, text => { live.textContent = text; }];
}

// Where a pointer is, in the units of the view box.
function place(svg, event) {
  const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal;
  return [(event.clientX - box.left) / box.width * scale.width, (event.clientY - box.top) / box.height * scale.height];
}

// A number as on the figures of the page: small ones as powers of ten.
function short(value) {
  if (value && Math.abs(value) < 0.001) {
    const [digits, power] = value.toExponential(1).split('e-');
    return `${Number(digits)}·10⁻${[...power].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('')}`;
  }
  return String(Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : Number(value.toPrecision(3)));
}

export function draw(root, data, send) {
  const {x, low, high} = data, n = x.length;
  const word = v => short(data.powers ? 10 ** v : v);  // a logarithmic axis has powers of ten
  const values = Array.isArray(data.start) && data.start.length === n ? [...data.start] : Array(n).fill(null);
  // Marks below the lowest point of the curve stand between the axis and its numbers.
  const below = data.cloud ? Math.max(0, ...data.cloud.off) : 0;
  const [svg, say] = surface(root, data.label, [76, 20, 16, 58 + below]);
  const across = i => LEFT + (W - LEFT - RIGHT) * (n === 1 ? 0.5 : i / (n - 1));
  const up = v => H - BOTTOM - (H - TOP - BOTTOM) * (v - low) / (high - low);
  for (let k = 0; k <= 4; k++) {
    const v = low + (high - low) * k / 4;
    make('line', {x1: LEFT, x2: W - RIGHT, y1: up(v), y2: up(v), class: 'grid'}, svg);
    make('text', {x: LEFT - 8, y: up(v) + 5 * em, 'text-anchor': 'end'}, svg, word(v));
  }
  x.forEach((word, i) => {
    if (n > (narrow ? 8 : 12) && i % 2) return;
    make('text', {x: across(i), y: H - BOTTOM + (22 + below) * em, 'text-anchor': 'middle'}, svg, word);
  });
  make('text', {x: (LEFT + W - RIGHT) / 2, y: H - 8, 'text-anchor': 'middle', class: 'title'}, svg, data.across);
  const turned = make('text', {transform: `translate(${18 * em} ${(TOP + H - BOTTOM) / 2}) rotate(-90)`, 'text-anchor': 'middle', class: 'title'}, svg);
  turned.textContent = data.up;
  const hint = make('text', {x: W / 2, y: H / 2, 'text-anchor': 'middle', class: 'hint'}, svg,
    narrow ? 'Draw here.' : 'Draw here. Keys: ← → choose a place, ↑ ↓ set it.');
  // What the curve is drawn through: marks at their places along the axis, which rise and fall with the curve.
  const cloud = data.cloud ?? {x: [], kind: [], names: []}, marks = make('g', {}, svg);
  const falls = values[0] > values[n - 1];  // the names of the marks stand where the curve is not
  const spots = cloud.x.map((_, i) => make('circle', {r: 2.5 * em, class: `pair pair${cloud.kind[i]}`}, marks));
  cloud.names.forEach((name, k) => {
    const side = falls ? {x: W - RIGHT - 12, 'text-anchor': 'end'} : {x: LEFT + 12};
    const key = make('text', {...side, y: TOP + (18 + 19 * k) * em, class: `pair${k}`}, svg, `● ${name}`);
    key.style.pointerEvents = 'none';
  });
  const height = share => {
    const along = share * (n - 1), i = Math.min(n - 2, Math.floor(along)), [a, b] = [values[i] ?? low, values[i + 1] ?? low];
    return a + (b - a) * (along - i);
  };
  const line = make('polyline', {class: 'guess'}, svg), dots = make('g', {}, svg);
  const cursor = make('line', {y1: TOP, y2: H - BOTTOM, class: 'cursor'}, svg);
  let at = 0, last = null, pressed = false;

  function show() {
    const known = values.map((v, i) => [i, v]).filter(([, v]) => v !== null);
    hint.style.display = known.length ? 'none' : '';
    line.setAttribute('points', known.map(([i, v]) => `${across(i)},${up(v)}`).join(' '));
    spots.forEach((spot, i) => {
      spot.setAttribute('cx', across(cloud.x[i] * (n - 1)));
      spot.setAttribute('cy', Math.max(TOP, up(height(cloud.x[i])) + cloud.off[i] * em));
    });
    dots.replaceChildren();
    for (const [i, v] of known) make('circle', {cx: across(i), cy: up(v), r: 6, class: 'dot'}, dots);
    cursor.setAttribute('x1', across(at));
    cursor.setAttribute('x2', across(at));
  }
  const bounded = v => Math.min(high, Math.max(low, v));
  function point(event) {
    const [px, py] = place(svg, event);
    const i = Math.max(0, Math.min(n - 1, Math.round((px - LEFT) / (W - LEFT - RIGHT) * (n - 1))));
    const v = bounded(low + (H - BOTTOM - py) / (H - TOP - BOTTOM) * (high - low));
    // A quick stroke skips places: those between are on the straight line.
    if (last && Math.abs(i - last[0]) > 1) {
      const step = Math.sign(i - last[0]);
      for (let j = last[0] + step; j !== i; j += step) values[j] = last[1] + (v - last[1]) * (j - last[0]) / (i - last[0]);
    }
    values[i] = v;
    [at, last] = [i, [i, v]];
    show();
  }
  svg.onpointerdown = event => { pressed = true; last = null; svg.setPointerCapture(event.pointerId); point(event); };
  svg.onpointermove = event => { if (pressed) point(event); };
  svg.onpointerup = svg.onpointercancel = () => { if (pressed) { pressed = false; send([...values]); } };
  svg.onkeydown = event => {
    const step = (high - low) * (event.shiftKey ? 0.1 : 0.02);
    const level = () => values[at] ?? values.slice(0, at).reverse().find(v => v !== null) ?? (low + high) / 2;
    if (event.key === 'ArrowLeft') at = Math.max(0, at - 1);
    else if (event.key === 'ArrowRight') at = Math.min(n - 1, at + 1);
    else if (event.key === 'ArrowUp') values[at] = bounded(level() + step);
    else if (event.key === 'ArrowDown') values[at] = bounded(level() - step);
    else if (event.key === 'Enter' || event.key === ' ') values[at] = level();
    else if (event.key === 'Delete' || event.key === 'Backspace') values[at] = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
    say(`${x[at]}: ${values[at] === null ? 'nothing drawn' : word(values[at])}`);
    show();
    if (!/Left|Right/.test(event.key)) send([...values]);
  };
  show();
}

// A curve of a family, bent by pulling a point of it: the member that passes nearest to the pointer is sent.
export function bend(root, data, send) {
  const {x, curves, names, ticks} = data, last = x.length - 1, top = Math.max(...curves.flat());
  const [svg, say] = surface(root, data.label, [40, 10, 8, 44], 0.75);
  const [w, h, left, bottom] = [W - LEFT - RIGHT, H - TOP - BOTTOM, LEFT, H - BOTTOM];
  const across = v => left + w * v / x[last], up = v => bottom - h * v / top;
  let at = data.at, pressed = false;
  for (const v of [0, top]) {
    make('line', {x1: left, x2: left + w, y1: up(v), y2: up(v), class: 'grid'}, svg);
    make('text', {x: left - 6, y: up(v) + 5 * em, 'text-anchor': 'end'}, svg, short(v));
  }
  for (const v of [0, x[last]]) {
    make('text', {x: across(v), y: bottom + 18 * em, 'text-anchor': v ? 'end' : 'start'}, svg, short(v));
  }
  make('text', {x: left + w / 2, y: H - 6 * em, 'text-anchor': 'middle'}, svg, data.across);
  make('title', {}, svg, data.up);
  const line = make('polyline', {class: 'guess'}, svg), dots = make('g', {}, svg);
  for (const v of ticks) make('line', {x1: across(v), x2: across(v), y1: bottom, y2: bottom + 5, class: 'tick'}, svg);
  const height = v => {
    const place = Math.min(last, Math.max(0, (v - x[0]) / (x[last] - x[0]) * last)), i = Math.min(last - 1, Math.floor(place));
    return curves[at][i] + (curves[at][i + 1] - curves[at][i]) * (place - i);
  };
  function show() {
    line.setAttribute('points', x.map((v, i) => `${across(v)},${up(curves[at][i])}`).join(' '));
    dots.replaceChildren();
    for (const v of ticks) if (v >= x[0]) make('circle', {cx: across(v), cy: up(height(v)), r: 3, class: 'dot'}, dots);
    svg.setAttribute('aria-description', names[at]);
  }
  function pull(event) {
    const [px, py] = place(svg, event);
    const along = ((px - left) / w * x[last] - x[0]) / (x[last] - x[0]) * last;
    const i = Math.max(1, Math.min(last, Math.round(along))), v = (bottom - py) / h * top;
    const far = curves.map(curve => Math.abs(curve[i] - v));
    far.forEach((gap, k) => { if (gap < far[at] - 1e-9) at = k; }); // where many are equal, the present one stays
    show();
  }
  const done = () => { say(names[at]); send(at); };
  if (curves.length > 1) {
    svg.onpointerdown = event => { pressed = true; svg.setPointerCapture(event.pointerId); pull(event); };
    svg.onpointermove = event => { if (pressed) pull(event); };
    svg.onpointerup = svg.onpointercancel = () => { if (pressed) { pressed = false; done(); } };
    svg.onkeydown = event => {
      const mean = k => curves[k].reduce((a, b) => a + b), higher = mean(curves.length - 1) > mean(0) ? 1 : -1;
      const by = {ArrowUp: higher, ArrowRight: 1, ArrowDown: -higher, ArrowLeft: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      at = Math.max(0, Math.min(curves.length - 1, at + by));
      show();
      done();
    };
  } else svg.style.cursor = 'default';
  show();
}

export function point(root, data, send) {
  const chosen = new Set(data.start || []), n = data.x.length;
  const [svg, say] = surface(root, data.label);
  const span = list => [Math.min(...list), Math.max(...list) - Math.min(...list) || 1];
  const [x0, dx] = span(data.x), [y0, dy] = span(data.y);
  const spot = i => [30 + (W - 60) * (data.x[i] - x0) / dx, H - 30 - (H - 60) * (data.y[i] - y0) / dy];
  for (const [a, b] of data.edges || []) {
    const [p, q] = [spot(a), spot(b)];
    make('line', {x1: p[0], y1: p[1], x2: q[0], y2: q[1], class: 'grid'}, svg);
  }
  let at = -1;
  const size = (data.edges?.length ? 11 : 8) * em;
  const marks = data.x.map((_, i) => {
    const [cx, cy] = spot(i), kind = data.classes ? data.classes[i] % 2 : 0;
    const mark = kind
      ? make('rect', {x: cx - 7 * em, y: cy - 7 * em, width: 14 * em, height: 14 * em, transform: `rotate(45 ${cx} ${cy})`}, svg)
      : make('circle', {cx, cy, r: size}, svg);
    make('title', {}, mark, `row ${data.names[i]}`);
    if (data.edges?.length) make('text', {x: cx, y: cy + 4 * em, 'text-anchor': 'middle', class: 'name'}, svg, data.names[i]);
    return mark;
  });
  function show() {
    marks.forEach((mark, i) => mark.setAttribute('class',
      `mark kind${data.classes ? data.classes[i] % 2 : 0}${chosen.has(i) ? ' chosen' : ''}${i === at ? ' at' : ''}`));
  }
  function toggle(i) {
    chosen.has(i) ? chosen.delete(i) : chosen.add(i);
    at = i;
    show();
    say(`row ${data.names[i]} ${chosen.has(i) ? 'selected' : 'not selected'}, ${chosen.size} in all`);
    send([...chosen].sort((a, b) => a - b));
  }
  svg.onpointerdown = event => {
    const [px, py] = place(svg, event);
    let best = -1, nearest = 30;
    for (let i = 0; i < n; i++) {
      const far = Math.hypot(spot(i)[0] - px, spot(i)[1] - py);
      if (far < nearest) [best, nearest] = [i, far];
    }
    if (best >= 0) toggle(best);
  };
  svg.onkeydown = event => {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (way && at < 0) at = 0;
    else if (way) {
      const [cx, cy] = spot(at);
      let best = at, least = Infinity;
      for (let i = 0; i < n; i++) {
        const [mx, my] = [spot(i)[0] - cx, spot(i)[1] - cy], along = mx * way[0] + my * way[1];
        const cost = along > 0.5 ? along + 2 * Math.abs(mx * way[1] + my * way[0]) : Infinity;
        if (cost < least) [best, least] = [i, cost];
      }
      at = best;
    } else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) toggle(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
    say(`row ${data.names[at]}${chosen.has(at) ? ', selected' : ''}`);
    show();
  };
  show();
}

export function order(root, data, send) {
  const items = data.start?.length === data.items.length ? [...data.start] : data.items.map((_, i) => i);
  const list = make('html:ol', {'aria-label': data.label}, root);
  // The order in which the items arrive is no answer until a person says so.
  const keep = make('html:button', {type: 'button', class: 'keep'}, root, 'Keep this order');
  keep.onclick = () => answered();
  if (data.start?.length) keep.remove();
  function answered() {
    keep.remove();
    send([...items]);
  }
  function move(place, by, focus) {
    [items[place], items[place + by]] = [items[place + by], items[place]];
    show();
    list.children[place + by].querySelector(focus)?.focus();
    answered();
  }
  function show() {
    list.replaceChildren();
    items.forEach((item, place) => {
      const row = make('html:li', {}, list);
      make('html:span', {}, row, data.items[item]);
      for (const [by, sign, word, kind] of [[-1, '↑', 'earlier', 'up'], [1, '↓', 'later', 'down']]) {
        const button = make('html:button', {type: 'button', class: kind, 'aria-label': `${data.items[item]} ${word}`}, row, sign);
        button.disabled = place + by < 0 || place + by >= items.length;
        button.onclick = () => move(place, by, `.${kind}:not(:disabled)`);
      }
    });
  }
  show();
}
