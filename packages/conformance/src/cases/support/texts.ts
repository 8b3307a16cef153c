/** The same string with one character in the middle changed. */
export function flip(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

/** So many parts of a document, separated by spaces. */
export function repeated(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(" ");
}
