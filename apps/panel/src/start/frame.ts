import type { FirstRow } from "./firstPages.ts";

/** More rows are not visible without scrolling. */
const MAX_ROWS = 12;

/** Shows a page's title and its first rows in the frame of index.html, until the panel's code replaces the frame. */
export function showRows({ title, section }: { title: string; section?: string }, rows: readonly FirstRow[]): void {
  const page = document.querySelector("#root .frame-page");
  if (page === null || rows.length === 0) return;
  page.replaceChildren(
    element("h1", title),
    ...(section === undefined ? [] : [element("h2", section)]),
    element("ul", ...rows.slice(0, MAX_ROWS).map(rowElement)),
  );
}

function rowElement({ title, detail, path }: FirstRow): HTMLElement {
  const name = element(path === undefined ? "strong" : "a", title);
  if (name instanceof HTMLAnchorElement) name.href = `/panel${path}`;
  return element("li", name, element("span", detail));
}

/** Strings become text, never markup. */
function element(name: string, ...content: (string | HTMLElement)[]): HTMLElement {
  const created = document.createElement(name);
  created.append(...content);
  return created;
}
