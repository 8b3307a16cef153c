import type { Context } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";

/** What the application knows of its visitor: all of it is in a signed cookie, so that no runtime needs a store. */
export interface Session {
  readonly userId: string;
  /** Attempts of this user: return URLs of other attempts are rejected. */
  readonly attempts: readonly string[];
}

const NAME = "session";
/** More unfinished attempts than the service allows at one provider. */
const MOST_ATTEMPTS = 10;
const LIFETIME_SECONDS = 12 * 3_600;

export class Sessions {
  readonly #secret: string;
  readonly #isSecure: boolean;

  constructor(secret: string, origin: string) {
    this.#secret = secret;
    this.#isSecure = origin.startsWith("https:");
  }

  /** null for a visitor who did not sign in, or whose cookie was not made here. */
  async read(context: Context): Promise<Session | null> {
    const value = await getSignedCookie(context, this.#secret, NAME);
    if (!value) return null;
    const [userId = "", ...attempts] = value.split(" ");
    return { userId, attempts };
  }

  async write(context: Context, { userId, attempts }: Session): Promise<void> {
    await setSignedCookie(context, NAME, [userId, ...attempts.slice(-MOST_ATTEMPTS)].join(" "), this.#secret, {
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: "Lax",
      path: "/",
      maxAge: LIFETIME_SECONDS,
    });
  }

  end(context: Context): void {
    deleteCookie(context, NAME, { path: "/", secure: this.#isSecure });
  }
}
