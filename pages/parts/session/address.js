// The address of the page, written where no entry of the browser's history is added: Back leads to the page before.
const WRITTEN = Symbol.for('kernlib.address');

export default function ({data}) {
  const written = document[WRITTEN];
  const foreign = written && written.session !== data.session;
  const query = foreign ? written.query : data.query;
  if (location.search !== query) history.replaceState(history.state, '', location.pathname + query + location.hash);
  // A server that was started again, or has forgotten this session, draws a new one: what was in view is opened in it.
  if (foreign) location.reload();
  else document[WRITTEN] = data;
}
