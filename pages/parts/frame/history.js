// Undo and redo. Each click is a numbered entry of a list that the browser sends with every request until the server
// has done it: two quick clicks are two, whatever becomes of the request that brought the first.
const LOG = Symbol.for('kernlib.history'); // the list outlives the element, which a page without the line takes away

export default function ({parentElement, setStateValue, data}) {
  if (document[LOG]?.session !== data.session) document[LOG] = {session: data.session, last: data.done, entries: []};
  const log = document[LOG];
  for (const name of ['undo', 'redo']) {
    const button = parentElement.querySelector(`.${name}`);
    button.disabled = !data[name];
    button.onclick = () => {
      log.entries = [...log.entries.filter(([number]) => number > data.done), [(log.last += 1), name]];
      setStateValue('log', log.entries);
    };
  }
}
