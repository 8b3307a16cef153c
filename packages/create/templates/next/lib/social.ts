import type { PublishedWindow, Subject } from "@social-connect/sdk";
import { SocialConnect, TimeoutError } from "@social-connect/sdk";
import { connection } from "next/server";

/**
 * PLACEHOLDER for your sign-in: return the id of the signed-in user from your session, for example with the `auth()` of
 * your authentication library. Never take it from a parameter, a form or a header that the browser sets.
 */
export async function signedInUserId(): Promise<string> {
  return "user-1";
}

// #region client
let client: SocialConnect | undefined;

/** Created with the first request, because a build has no settings. */
function social(): SocialConnect {
  client ??= new SocialConnect({ baseUrl: setting("SOCIAL_CONNECT_URL"), key: setting("SOCIAL_CONNECT_KEY") });
  return client;
}

/** The calls for the signed-in user. */
export async function signedInSubject(): Promise<Subject> {
  // The data belongs to one user: render the page for each request, and never in a build or a shared cache.
  await connection();
  const [tenantKey, externalSubjectId] = [setting("SOCIAL_CONNECT_TENANT"), await signedInUserId()];
  return social().forSubject({ tenantKey, externalSubjectId });
}
// #endregion client

/** Where users return after the provider's consent page. It is registered with the service. */
export function returnUrl(): string {
  return urlSetting("RETURN_URL");
}

/** The providers whose accounts can be linked now. */
export async function availableProviders(): Promise<readonly string[]> {
  const { providers } = await social().readiness();
  return providers.filter(({ available }) => available).map(({ provider }) => provider);
}

/** The days that are shown: the service reads their posts after a connect, and daily. */
export function shownDays(): PublishedWindow {
  return social().recentWindow(7);
}

/** Reads the posts of an account from the provider again. After five seconds, the page shows that they are being read. */
export async function refreshPosts(user: Subject, id: string): Promise<void> {
  try {
    await user.refresh(id).wait({ deadline: new Date(Date.now() + 5_000) });
  } catch (error) {
    if (!TimeoutError.is(error)) throw error;
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Start the service in another terminal: npm run service. It writes .env.`);
}

function urlSetting(name: string): string {
  const value = setting(name);
  if (/^https?:/.test(value) && URL.canParse(value)) return value;
  throw new Error(`${name} is not an absolute URL, like https://app.example/connected.`);
}
