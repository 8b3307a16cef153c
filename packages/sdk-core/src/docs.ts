/** Where the pages of the error codes are published. */
const ERROR_PAGES = "https://github.com/social-connect/social-connect/blob/main/docs/reference/errors";

/** The page of a code; for a code without one, the list of codes. */
export function errorPageOf(code: string, hasPage: boolean): string {
  return `${ERROR_PAGES}/${hasPage ? `${code}.md` : "README.md#codes-of-the-sdks"}`;
}
