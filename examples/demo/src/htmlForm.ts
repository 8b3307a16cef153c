export interface HtmlForm {
  readonly action: string;
  /** The fields that a browser would send if the form were submitted unchanged. */
  readonly fields: readonly (readonly [string, string])[];
}

/** The first form of a page, or null. Enough HTML for pages whose forms are plain; no parser of all of it. */
export function parseForm(html: string): HtmlForm | null {
  const [, head = "", body = ""] = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(html) ?? [];
  if (head === "") return null;
  const inputs = [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, attributes = ""]) => attributes);
  const fields = inputs
    .filter((input) => !/\btype="(?:checkbox|radio)"/i.test(input) || /\schecked(?:\s|=|$)/i.test(input))
    .map((input) => [attribute(input, "name"), attribute(input, "value")] as const)
    .filter(([name]) => name !== "");
  return { action: attribute(head, "action"), fields };
}

function attribute(tag: string, name: string): string {
  const [, value = ""] = new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag) ?? [];
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
