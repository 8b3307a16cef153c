/**
 * Loads a page again that is in progress. Without scripts the browser does that; with scripts the page stays in place,
 * so that focus and reading position stay.
 */
function startReload() {
  const { reloadSeconds, reloadPath } = document.body.dataset;
  if (reloadSeconds === undefined) return;
  setTimeout(async () => {
    await update(reloadPath);
    startReload();
  }, reloadSeconds * 1_000);
}

async function update(path) {
  const response = await fetch(path, { cache: "no-store" }).catch(() => null);
  if (response === null) return;
  if (response.redirected) return location.assign(response.url);
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  document.title = next.title;
  const [main, replacement] = [document.querySelector("main"), next.querySelector("main")];
  if (main.innerHTML !== replacement.innerHTML) main.replaceChildren(...replacement.childNodes);
  if (next.body.dataset.reloadSeconds === undefined) delete document.body.dataset.reloadSeconds;
}

startReload();
