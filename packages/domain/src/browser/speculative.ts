/** Pages whose GET does the work of a person. */
const WORKING_PAGE = /^\/api\/(?:connect|identity)\/|^\/panel\/(?:sign-in|confirm|callback)$/;

/** How browsers and link previews mark a request ahead of a person's own; the first is standard, the others are older. */
const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * The status of the response to a request that must change nothing, because no person has opened the page: HEAD of a link
 * checker, and a prefetch, whose failure makes the browser send the person's GET later. null for any other request.
 */
export function speculativeStatus(
  method: string,
  path: string,
  headerOf: (name: string) => string | null | undefined,
): 204 | 425 | null {
  if (!WORKING_PAGE.test(path)) return null;
  if (method === "HEAD") return 204;
  const isAhead = PURPOSE_HEADERS.some((name) => /\b(?:prefetch|prerender|preview)\b/i.test(headerOf(name) ?? ""));
  return isAhead ? 425 : null;
}
