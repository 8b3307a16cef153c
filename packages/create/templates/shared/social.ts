import type { PublishedWindow, Subject } from "@social-connect/sdk";
import { SocialConnect, TimeoutError } from "@social-connect/sdk";

// #region client
/** `npm run service` writes these variables to .env; in production they come from your deployment. */
const social = new SocialConnect({ baseUrl: setting("SOCIAL_CONNECT_URL"), key: setting("SOCIAL_CONNECT_KEY") });
const tenantKey = setting("SOCIAL_CONNECT_TENANT");

/** Where users return after the provider's consent page. It is registered with the service. */
export const returnUrl = urlSetting("RETURN_URL");

/** Where users open this application. The service accepts a launch from this origin only. */
export const ownOrigin = new URL(returnUrl).origin;

/** The calls for one of your users. `userId` is your own stable id of the signed-in user. */
export function subjectOf(userId: string): Subject {
  return social.forSubject({ tenantKey, externalSubjectId: userId });
}
// #endregion client

/** The providers whose accounts can be linked now. */
export async function availableProviders(): Promise<readonly string[]> {
  const { providers } = await social.readiness();
  return providers.filter(({ available }) => available).map(({ provider }) => provider);
}

/** The days that are shown: the service reads their posts after a connect, and daily. */
export function shownDays(): PublishedWindow {
  return social.recentWindow(7);
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
