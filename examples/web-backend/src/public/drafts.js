const PREFIX = "draft ";

/** Keeps what is typed in fields with `data-draft` until the form has succeeded or the user signs out. */
export function startDrafts() {
  const done = document.querySelector("[data-draft-done]");
  if (done !== null) sessionStorage.removeItem(PREFIX + done.dataset.draftDone);

  for (const field of document.querySelectorAll("[data-draft]")) {
    const key = PREFIX + field.dataset.draft;
    const keep = () => sessionStorage.setItem(key, field.value);
    // What was typed before this script ran is newer than the draft.
    if (field.value === field.defaultValue) field.value = sessionStorage.getItem(key) ?? field.value;
    else keep();
    field.addEventListener("input", keep);
  }

  for (const form of document.querySelectorAll("[data-clears-drafts]")) {
    form.addEventListener("submit", () => {
      const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
      for (const key of keys) sessionStorage.removeItem(key);
    });
  }
}
