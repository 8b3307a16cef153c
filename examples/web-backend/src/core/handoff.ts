import { randomUUID } from "node:crypto";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import type { AppContext, Dependencies } from "./context.ts";
import type { Handoff } from "./store.ts";

/** Binds a sign-in to the browser that started it. The cookie has only a random id: the proof stays on the server. */
const COOKIE = "example_handoff";
/** The result of a handoff can be redeemed for this long. */
const TWENTY_MINUTES_SECONDS = 20 * 60;

/** `Lax`, because the browser returns from the identity provider through a cross-site redirect. */
function cookieOptions({ settings }: Dependencies) {
  const secure = settings.returnUrl.startsWith("https:");
  return { httpOnly: true, sameSite: "Lax", path: "/", maxAge: TWENTY_MINUTES_SECONDS, secure } as const;
}

export async function startHandoff(c: AppContext, dependencies: Dependencies, handoff: Handoff): Promise<void> {
  const id = randomUUID();
  dependencies.store.saveHandoff(id, handoff);
  await setSignedCookie(c, COOKIE, id, dependencies.settings.sessionSecret, cookieOptions(dependencies));
}

/** The handoff of this browser, if `sessionId` belongs to it. */
export async function handoffOf(
  c: AppContext,
  { settings, store }: Dependencies,
  sessionId: string | undefined,
): Promise<Handoff | undefined> {
  const id = await getSignedCookie(c, settings.sessionSecret, COOKIE);
  const handoff = typeof id === "string" ? store.handoff(id) : undefined;
  return handoff?.sessionId === sessionId ? handoff : undefined;
}

export async function endHandoff(c: AppContext, dependencies: Dependencies): Promise<void> {
  const id = await getSignedCookie(c, dependencies.settings.sessionSecret, COOKIE);
  if (typeof id === "string") dependencies.store.removeHandoff(id);
  deleteCookie(c, COOKIE, cookieOptions(dependencies));
}
