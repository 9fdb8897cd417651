// The address of the page, written where no entry of the browser's history is added: Back leads to the page before.
export default function ({data}) {
  if (location.search !== data.query) {
    history.replaceState(history.state, '', location.pathname + data.query + location.hash);
  }
}
