import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnvironment, Dependencies } from "./context.ts";

const COOKIE = "example_session";
const EIGHT_HOURS_SECONDS = 8 * 3600;

/** `Lax`, so that a user who returns from the provider through a cross-site redirect is still signed in. */
export function cookieOptions({ settings }: Dependencies, maxAge: number) {
  const secure = settings.returnUrl.startsWith("https:");
  return { httpOnly: true, sameSite: "Lax", path: "/", maxAge, secure } as const;
}

export async function startSession(c: AppContext, dependencies: Dependencies, userId: string): Promise<void> {
  const endsAt = dependencies.clock.now().getTime() + EIGHT_HOURS_SECONDS * 1_000;
  const options = cookieOptions(dependencies, EIGHT_HOURS_SECONDS);
  await setSignedCookie(c, COOKIE, `${userId}|${endsAt}`, dependencies.settings.sessionSecret, options);
}

export function endSession(c: AppContext): void {
  deleteCookie(c, COOKIE);
}

/** Lets signed-in people through, with the service's operations for them, and sends others to sign in. */
export function requireSignIn(dependencies: Dependencies) {
  const { settings, social, store, clock } = dependencies;
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const value = await getSignedCookie(c, settings.sessionSecret, COOKIE);
    const [userId = "", endsAt] = typeof value === "string" ? value.split("|") : [];
    const user = Number(endsAt) > clock.now().getTime() ? store.users.get(userId) : undefined;
    if (user === undefined) return c.redirect("/sign-in", 303);
    const subject = social.forSubject({ tenantKey: settings.tenantKey, externalSubjectId: user.id });
    c.set("signedIn", { user, subject });
    return next();
  });
}
