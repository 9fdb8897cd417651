// What the browser adds to a page: heights and theme for the server, meanings of terms, and main figures that do not
// blink.

// What was told holds for the instances that follow: the server's answer is on its way, and to tell it again would
// start one more run beside the one that it causes.
const THEME = Symbol.for('kernlib.theme');
const HEIGHTS = Symbol.for('kernlib.heights');

// Figures carry the page's colours when they come: another theme asks for them anew.
function whenThemeChanges(known, tell) {
  const app = document.querySelector('[data-testid="stApp"]');
  document[THEME] ??= known;
  const look = () => {
    const scheme = getComputedStyle(app).colorScheme;
    if (scheme !== document[THEME]) tell((document[THEME] = scheme));
  };
  const watch = new MutationObserver(look);
  watch.observe(app, {attributes: true, attributeFilter: ['class']});
  look();
  return watch;
}

// A figure is drawn once where it is sent as high as the style sheet lets it be here: in this window, on this screen.
function whenHeightsChange(known, tell) {
  const fills = Object.keys(known);
  document[HEIGHTS] ??= known;
  const probes = fills.map(fill => {
    const probe = document.createElement('div');
    probe.className = `st-key-fill-${fill}-`;
    probe.style.cssText = 'position: fixed; top: 0; width: 0; visibility: hidden; pointer-events: none';
    document.body.append(probe);
    return probe;
  });
  let waits;
  // A page that will perhaps tell a height is not at rest.
  const mark = document.documentElement.dataset;
  // Streamlit loses the last words of a run that ends just when a part is asked for: the page comes to rest first.
  const measure = () => {
    if (document.querySelector('[data-test-script-state="running"]')) {
      waits = setTimeout(measure, 100);
      return;
    }
    const heights = Object.fromEntries(fills.map((fill, i) => [fill, probes[i].offsetHeight]));
    if (fills.some(fill => heights[fill] !== document[HEIGHTS][fill])) tell((document[HEIGHTS] = heights));
    delete mark.measuring; // Streamlit itself marks a page that has asked for a run
  };
  const watch = new ResizeObserver(() => {
    clearTimeout(waits);
    mark.measuring = '';
    waits = setTimeout(measure, 250);
  });
  probes.forEach(probe => watch.observe(probe));
  return {
    disconnect() {
      clearTimeout(waits);
      delete mark.measuring;
      watch.disconnect();
      probes.forEach(probe => probe.remove());
    },
  };
}

// A term of the glossary is a link to its meaning, which shows under the pointer, at the focus and on a tap. This is
// begun once a document: a meaning that someone reads stays where the page runs anew.
function showMeanings() {
  const note = document.createElement('div');
  note.id = note.className = 'kernlib-meaning';
  note.setAttribute('role', 'tooltip');
  note.hidden = true;
  document.body.append(note);
  let shown = null;
  let waits;
  const hide = () => {
    clearTimeout(waits);
    shown?.removeAttribute('aria-describedby');
    shown = null;
    note.hidden = true;
  };
  const show = link => {
    const [name, meaning] = MEANINGS[link.hash.slice('#term-'.length)] ?? [];
    if (!name) return;
    hide();
    const bold = document.createElement('strong');
    bold.textContent = name;
    note.replaceChildren(bold, document.createElement('br'), meaning);
    note.hidden = false;
    const [at, own] = [link.getBoundingClientRect(), note.getBoundingClientRect()];
    note.style.left = `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`;
    note.style.top = `${at.bottom + own.height + 12 < innerHeight ? at.bottom + 4 : at.top - own.height - 4}px`;
    link.setAttribute('aria-describedby', note.id);
    shown = link;
  };
  const term = event => event.target.closest?.('a[href^="#term-"]');
  const acts = {
    pointerover: event => {
      clearTimeout(waits);
      if (term(event)) show(term(event));
      else if (shown && !note.contains(event.target) && shown !== document.activeElement) waits = setTimeout(hide, 200);
    },
    focusin: event => (term(event) ? show(term(event)) : hide()),
    focusout: event => term(event) && hide(),
    keydown: event => event.key === 'Escape' && hide(),
    scroll: hide,
    click: event => {
      if (!term(event)) return hide();
      event.preventDefault();
      show(term(event));
    },
  };
  for (const [kind, act] of Object.entries(acts)) document.addEventListener(kind, act, true);
}

// Streamlit makes a changed figure anew and shows none until it has measured its place. So that a main figure does not
// blink while a slider moves or points arrive, a copy of its last drawing lies behind it. A figure covers its copy.
function keepDrawings() {
  const copies = new Map(); // by place: the element that holds the copy, the figure's key, the drawing
  const keyOf = place => [...place.classList].find(name => name.startsWith('st-key-fill-'));
  const clear = place => {
    copies.get(place)?.host.remove();
    copies.delete(place);
  };
  const copy = () => {
    for (const place of document.querySelectorAll('[class*="st-key-fill-"]:has(.js-plotly-plot .main-svg)')) {
      const drawing = place.querySelector('.svg-container');
      if (!drawing.offsetParent || copies.get(place)?.drawing === drawing) continue;
      clear(place);
      const host = document.createElement('div');
      host.className = 'kernlib-copy';
      host.setAttribute('aria-hidden', 'true');
      const inside = document.createElement('div');
      inside.style.cssText = `position: relative; width: ${drawing.style.width}; height: ${drawing.style.height}`;
      for (const layer of drawing.querySelectorAll('.main-svg')) {
        const own = layer.cloneNode(true);
        own.style.position = 'absolute';
        own.style.inset = '0';
        inside.append(own);
      }
      host.attachShadow({mode: 'closed'}).append(inside); // letters and names in it are the figure's, not the page's
      place.append(host);
      copies.set(place, {host, key: keyOf(place), drawing});
    }
  };
  // Safari has no idle callbacks.
  const idle = 'requestIdleCallback' in window;
  const later = work => idle ? requestIdleCallback(work, {timeout: 200}) : setTimeout(work, 200);
  const never = number => idle ? cancelIdleCallback(number) : clearTimeout(number);
  let asked;
  new MutationObserver(() => {
    for (const [place, {key}] of copies) if (!place.isConnected || keyOf(place) !== key) clear(place);
    never(asked);
    asked = later(copy);
  }).observe(document.body, {childList: true, subtree: true});
}

// Streamlit's frontend takes everything off the page when it cannot place what a run sends. The address has the view:
// it is opened again, once a minute at most.
function comeBack() {
  const root = document.getElementById('root');
  new MutationObserver(() => {
    const last = +sessionStorage.getItem('kernlib.back');
    if (root.childElementCount || Date.now() - last < 60_000) return;
    sessionStorage.setItem('kernlib.back', Date.now());
    location.reload();
  }).observe(root, {childList: true});
}

const BEGUN = Symbol.for('kernlib.begun');
// On a busy machine Streamlit starts a component again before, or without, ending it: each start ends the one before.
const END = Symbol.for('kernlib.picture');

export default function ({data, setStateValue}) {
  document[END]?.();
  if (!document[BEGUN]) {
    document[BEGUN] = true;
    showMeanings();
    keepDrawings();
    comeBack();
  }
  const watch = whenThemeChanges(data.theme, scheme => setStateValue('theme', scheme));
  const sized = whenHeightsChange(data.heights, heights => setStateValue('heights', heights));
  return (document[END] = () => {
    watch.disconnect();
    sized.disconnect();
  });
}
