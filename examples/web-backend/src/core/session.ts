import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnvironment, Dependencies } from "./context.ts";

const COOKIE = "example_session";
const EIGHT_HOURS_SECONDS = 8 * 3600;

/** `Lax`, so that a user who returns from the provider through a cross-site redirect is still signed in. */
function cookieOptions({ settings }: Dependencies) {
  const secure = settings.returnUrl.startsWith("https:");
  return { httpOnly: true, sameSite: "Lax", path: "/", maxAge: EIGHT_HOURS_SECONDS, secure } as const;
}

export async function startSession(c: AppContext, dependencies: Dependencies, userId: string): Promise<void> {
  const endsAt = dependencies.clock.now().getTime() + EIGHT_HOURS_SECONDS * 1_000;
  const { sessionSecret } = dependencies.settings;
  await setSignedCookie(c, COOKIE, `${userId}|${endsAt}`, sessionSecret, cookieOptions(dependencies));
}

export function endSession(c: AppContext, dependencies: Dependencies): void {
  deleteCookie(c, COOKIE, cookieOptions(dependencies));
}

/** Lets signed-in people through, with the service's operations for them, and sends others to sign in. */
export function requireSignIn(dependencies: Dependencies) {
  const { settings, social, store, clock } = dependencies;
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const value = await getSignedCookie(c, settings.sessionSecret, COOKIE);
    const [userId, endsAt] = typeof value === "string" ? value.split("|") : [];
    const user = Number(endsAt) > clock.now().getTime() ? store.users.find(userId) : undefined;
    if (user === undefined) return c.redirect("/sign-in", 303);
    const subject = social.forSubject({ tenantKey: settings.tenantKey, externalSubjectId: user.id });
    c.set("signedIn", { user, subject });
    return next();
  });
}
