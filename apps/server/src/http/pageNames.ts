/** The pages and files that browsers load, by method and path; for logs and metrics. */
const PAGE_NAMES: readonly (readonly [name: string, method: string, path: RegExp])[] = [
  ["connect.redeem", "POST", /^\/api\/connect\/redeem$/],
  ["connect.consent", "GET", /^\/api\/connect\/consent$/],
  ["connect.consent", "POST", /^\/api\/connect\/consent$/],
  ["connect.callback", "GET", /^\/api\/connect\/callback\/[^/]{1,64}$/],
  ["connect.deauthorize", "POST", /^\/api\/connect\/deauthorize\/[^/]{1,64}$/],
  ["connect.webhook", "POST", /^\/api\/connect\/[^/]{1,64}\/webhook$/],
  ["connect.dataDeletion", "POST", /^\/api\/connect\/[^/]{1,64}\/data-deletion$/],
  ["connect.deletionStatus", "GET", /^\/api\/connect\/[^/]{1,64}\/data-deletion$/],
  ["identity.redeem", "POST", /^\/api\/identity\/redeem$/],
  ["identity.callback", "GET", /^\/api\/identity\/callback$/],
  ["panel.callback", "GET", /^\/panel\/callback$/],
  ["panel", "GET", /^\/panel(?:$|\/)/],
  ["panel", "POST", /^\/panel\//],
  ["schema", "GET", /^\/schema\.graphql$/],
];

/** The name of a page; `other` for everything that the service does not serve. */
export function pageName(method: string, path: string): string {
  return PAGE_NAMES.find(([, ofMethod, shape]) => ofMethod === method && shape.test(path))?.[0] ?? "other";
}
