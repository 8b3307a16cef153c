/** null for text that is no URL. `URL.canParse` of Node 24 accepts hosts of 32 KB and more that `new URL` refuses. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
