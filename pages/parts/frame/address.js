// The address of the page, written where no entry of the browser's history is added: Back leads to the page before.
const WRITTEN = Symbol.for('kernlib.address');
const WATCHED = Symbol.for('kernlib.connection');

export default function ({data, setTriggerValue}) {
  const written = document[WRITTEN];
  const foreign = written && written.session !== data.session;
  const query = foreign ? written.query : data.query;
  if (location.search !== query) history.replaceState(history.state, '', location.pathname + query + location.hash);
  // A server that was started again, or has forgotten this session, draws a new one: what was in view is opened in it.
  if (foreign) location.reload();
  else document[WRITTEN] = data;
  // Streamlit connects again without a run: the first click would begin the new session, and be lost in it.
  const app = document.querySelector('[data-test-connection-state]');
  const state = () => app.dataset.testConnectionState;
  let before = state();
  document[WATCHED]?.disconnect();
  document[WATCHED] = new MutationObserver(() => {
    if (state() === 'CONNECTED' && before !== 'CONNECTED') setTriggerValue('connected', true);
    before = state();
  });
  document[WATCHED].observe(app, {attributeFilter: ['data-test-connection-state']});
}
