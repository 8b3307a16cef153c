/** Whoever chooses a framework at one place of a page reads it at the others. Without scripts, each place is chosen alone. */
export function chooseTabsTogether(): void {
  if (typeof document === "undefined") return;
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".tab-names") === null) return;
    for (const other of document.querySelectorAll<HTMLInputElement>(".tab-names input"))
      if (other.value === target.value) other.checked = true;
  });
}
