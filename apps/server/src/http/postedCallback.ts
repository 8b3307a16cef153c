import type { Context } from "hono";
import { type FormEnv, readForm } from "./forms.ts";

/** What the callback reads. Issuers also post personal data, such as the name of the user, which must not be in a URL. */
const PARAMETERS: ReadonlySet<string> = new Set(["code", "state", "iss", "error"]);

/**
 * The issuer's response as a form (OAuth 2.0 Form Post Response Mode). A post from another site carries no `SameSite=Lax`
 * cookie, which binds the sign-in to its browser, so the browser is sent to the same callback with GET. Changes nothing itself.
 */
export async function getPostedCallback(context: Context<FormEnv>, callbackUrl: string): Promise<Response> {
  const form = await readForm(context);
  const query = new URLSearchParams([...form].filter(([name]) => PARAMETERS.has(name)));
  return context.redirect(`${callbackUrl}?${query}`, 303);
}
