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

/** A user's decision on the OpenID provider's sign-in page. */
export interface SignInChoice {
  /** Name of the user, e.g. `ada`. */
  readonly person: string;
  readonly decision?: "allow" | "deny";
}

const REDIRECTS_MAX = 10;

/**
 * Signs in at the OpenID provider over HTTP, without existing cookies, and returns the URL to which the browser is
 * redirected, without requesting it. Throws if the flow ends elsewhere.
 */
export async function signIn(authorizationUrl: string | URL, choice: SignInChoice): Promise<URL> {
  const { url, form } = await returnFromSignIn(authorizationUrl, choice);
  if (form !== null) throw new Error("The sign-in ends with a form. Use returnFromSignIn.");
  return url;
}

/** The response of the OpenID provider: a redirect or, with the response mode `form_post`, the form that the browser posts. */
export async function returnFromSignIn(
  authorizationUrl: string | URL,
  choice: SignInChoice,
): Promise<{ readonly url: URL; readonly form: URLSearchParams | null }> {
  const issuer = new URL(authorizationUrl).origin;
  const cookies = new Map<string, string>();
  let next = new URL(authorizationUrl);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < REDIRECTS_MAX; step += 1) {
    const response: Response = await fetch(next, {
      method: form === null ? "GET" : "POST",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      redirect: "manual",
      ...(form !== null && { body: form }),
    });
    form = null;
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line);
    const location = response.headers.get("location");
    if (location !== null) {
      next = new URL(location, next);
      if (next.origin !== issuer) return { url: next, form: null };
    } else if (response.ok && next.pathname.includes("/interaction/")) {
      form = new URLSearchParams({ person: choice.person, decision: choice.decision ?? "allow" });
    } else {
      const page = await response.text();
      const [, action = ""] = /<form method="post" action="([^"]+)">/.exec(page) ?? [];
      if (action === "") throw new Error(`The sign-in ended with status ${response.status}: ${page.slice(0, 200)}`);
      const fields = new URLSearchParams();
      for (const [, name = "", value = ""] of page.matchAll(/name="([^"]+)" value="([^"]*)"/g))
        fields.append(name, value);
      return { url: new URL(action), form: fields };
    }
  }
  throw new Error("The sign-in redirects endlessly.");
}

function storeCookie(cookies: Map<string, string>, setCookie: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  if (value === "") cookies.delete(name);
  else cookies.set(name, value);
}
