/** A user's decision on a provider's consent page. */
export interface ConsentChoice {
  /** Name of the test account, e.g. `harbor-workshop`. */
  readonly account: string;
  readonly decision?: "allow" | "deny";
  /** The scopes to grant; default: all requested scopes. */
  readonly scopes?: readonly string[];
}

/**
 * Submits a provider's consent page over HTTP and returns the URL to which the browser is redirected, without requesting it.
 * Throws if the page is not a consent page.
 */
export async function giveConsent(authorizationUrl: string | URL, choice: ConsentChoice): Promise<URL> {
  const shown = await fetch(authorizationUrl, { headers: { accept: "text/html" }, redirect: "manual" });
  const direct = shown.headers.get("location");
  // Some errors redirect to the application without a page.
  if (direct !== null) return new URL(direct, authorizationUrl);
  const page = await shown.text();
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1];
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
  if (request === undefined || action === undefined) {
    throw new Error(
      `Not a consent page (status ${shown.status}): ${/<strong>([^<]+)<\/strong>/.exec(page)?.[1] ?? "no reason given"}`,
    );
  }
  const offered = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map((match) => match[1] ?? "");
  const form = new URLSearchParams({ request, account: choice.account, decision: choice.decision ?? "allow" });
  for (const scope of choice.scopes ?? offered) form.append("scope", scope);
  const response = await fetch(new URL(action, authorizationUrl), { method: "POST", body: form, redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`The consent was not accepted: status ${response.status}`);
  return new URL(location);
}
