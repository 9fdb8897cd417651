// A lesson in the page: its answering surface, the arrow keys, and the browser's name in a class.
// ← and → turn the step, except where they move something else. As in picture.js, each start ends the one before.
const END = Symbol.for('kernlib.story');
const TURNS = Symbol.for('kernlib.turns');

function turnsSteps(tell) {
  const heard = event => {
    const busy = event.target.closest?.('input, textarea, select, [role=slider], [role=application], [role=radio]');
    const own = event.composedPath().some(node => node.getAttribute?.('role') === 'application');
    if (busy || own || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowRight') tell(1);
    if (event.key === 'ArrowLeft') tell(-1);
  };
  document[END]?.();
  document.addEventListener('keydown', heard);
  return (document[END] = () => document.removeEventListener('keydown', heard));
}

// The browser's name in a class, for as long as a class lasts: it is sent when the page is opened again.
function remember(name) {
  document.cookie = `kernlib_person=${name}; path=/; max-age=10800; SameSite=Strict`;
}

const SURFACES = {draw, point, order};
const drawn = new WeakMap();

export default function ({data, parentElement, setStateValue}) {
  if (data.person) remember(data.person);
  if (data.kind === 'person') return;
  if (data.kind === 'keys') {
    // Each key is a numbered entry of a list, sent until the server has done it: none is lost with a request that
    // another one overtakes.
    if (document[TURNS]?.session !== data.session) {
      document[TURNS] = {session: data.session, last: data.done, entries: []};
    }
    const log = document[TURNS];
    return turnsSteps(by => {
      log.entries = [...log.entries.filter(([number]) => number > data.done), [(log.last += 1), by]];
      setStateValue('turns', log.entries);
    });
  }
  // A run of the page calls this again: what is being answered stays as it is.
  const root = parentElement.querySelector('.kernlib-surface');
  const shown = `${data.question} ${letters()}`;
  if (drawn.get(root) !== shown) {
    drawn.set(root, shown);
    root.replaceChildren();
    SURFACES[data.kind](root, data, guess => setStateValue('guess', guess));
  }
}
