import { Browser } from "../wire/browser.ts";
import type { IdentityDriver, PanelAnswer, PanelDriver, PanelSession } from "./target.ts";

/** Calls a driver that returns JSON, and names it when it fails. */
export async function requestJson<Told = void>(url: string, method: "GET" | "POST", body?: unknown): Promise<Told> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The driver ${method} ${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Told;
}

export interface PanelAddress {
  readonly adminHost: string;
  readonly identity: IdentityDriver;
}

interface SignedIn extends PanelSession {
  readonly email: string;
}

/** Unchanged, after a sign-in, and after a confirmation. */
const MAX_ATTEMPTS = 4;

/**
 * Signs a user in to the panel like a browser: `/panel/sign-in`, the issuer's pages, the callback, then the session
 * cookie and CSRF token. null when the panel rejects the user.
 */
export async function openPanelOverHttp(address: PanelAddress, person: string): Promise<PanelDriver | null> {
  const first = await signInAtIssuer(address, "/panel/sign-in", person);
  if (first === null) return null;
  let current: Promise<SignedIn | null> = Promise.resolve(first);
  return {
    email: first.email,
    run: async (document, variables = {}, { raw = false } = {}) => {
      for (let tries = 1; ; tries += 1) {
        const used = current;
        const answer = await post(await used, document, variables);
        const page = pageThatHelps(answer);
        if (page === null || raw || tries === MAX_ATTEMPTS) return answer;
        // Many callers may find the session expired concurrently; one of them signs in again for all.
        if (current === used) current = signInAtIssuer(address, page, person, await used);
      }
    },
    session: async () => {
      const session = await current;
      if (session === null) throw new Error(`The panel no longer accepts ${person}.`);
      return session;
    },
  };
}

async function post(session: SignedIn | null, query: string, variables: unknown): Promise<PanelAnswer> {
  if (session === null) return { data: null, errors: [REJECTED_USER] };
  const { endpoint, origin, cookie, csrfToken } = session;
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie, "x-csrf-token": csrfToken },
    body: JSON.stringify({ query, variables }),
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  return (await response.json()) as PanelAnswer;
}

const REJECTED_USER = { message: "The panel rejects this user.", extensions: { code: "UNAUTHENTICATED" } };

/** The page to visit before the document can run; null when it ran, or no page helps. */
function pageThatHelps(answer: PanelAnswer): string | null {
  if (answer.errors?.some((error) => error.extensions?.code === "UNAUTHENTICATED")) return "/panel/sign-in";
  const results = Object.values(answer.data ?? {}) as ({ readonly __typename?: string } | null)[];
  return results.some((result) => result?.__typename === "ConfirmationRequiredError") ? "/panel/confirm" : null;
}

/** From a page of the panel through the issuer and back. */
async function signInAtIssuer(
  { adminHost, identity }: PanelAddress,
  page: string,
  person: string,
  before: SignedIn | null = null,
): Promise<SignedIn | null> {
  const browser = new Browser(undefined, undefined, before?.cookie);
  const begun = await browser.get(adminHost + page);
  if (begun.location === null) throw new Error(`${page} of the panel returned ${begun.status}.`);
  await browser.get(await identity.signIn(begun.location.href, { person }));
  const told = await browser.get(`${adminHost}/panel/session`);
  if (told.status !== 200) return null;
  const { email, csrfToken } = JSON.parse(told.text) as { email: string; csrfToken: string };
  const origin = new URL(adminHost).origin;
  return { email, csrfToken, origin, endpoint: `${adminHost}/panel/graphql`, cookie: browser.cookieHeader };
}
