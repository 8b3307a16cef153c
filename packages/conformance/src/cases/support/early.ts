import type { CaseContext } from "../../harness/context.ts";
import type { Browser, Visit } from "../../wire/browser.ts";
import { errorPage } from "./findings.ts";

/** Headers of requests that browsers and previews send ahead of a person. */
export const AHEAD: readonly Readonly<Record<string, string>>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
];

/** Everything that opens a callback before the person: browsers ahead of a click, link checkers, previews and mail scanners. */
export async function visitAhead(t: CaseContext, browser: Browser, callback: URL): Promise<void> {
  changesNothing(t, await browser.head(callback), "HEAD");
  for (const headers of AHEAD) changesNothing(t, await browser.get(callback, headers), JSON.stringify(headers));
  changesNothing(t, await t.browser().head(callback), "HEAD of another program");
  errorPage(
    t,
    await t.browser().get(callback),
    [400, 403, 410],
    "GET of a link preview, without the browser's cookies",
  );
}

export function changesNothing(t: CaseContext, visit: Visit, what: string): void {
  t.oneOf(visit.status, [204, 425], `${what}: HTTP status`);
  t.equal([visit.text, visit.location, visit.headers.getSetCookie()], ["", null, []], `${what}: nothing else`);
}
