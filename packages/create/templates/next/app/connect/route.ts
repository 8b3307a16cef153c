import type { SocialProvider } from "@social-connect/sdk";
import { launchPage } from "@social-connect/sdk";
import { rememberAttempt } from "../../lib/attempt";
import { returnUrl, signedInSubject } from "../../lib/social";

// #region connect
export async function POST(request: Request): Promise<Response> {
  // Only this application's own pages may post this form; the service accepts a launch from this origin only.
  const { origin } = new URL(returnUrl());
  if (request.headers.get("origin") !== origin) {
    return new Response(`Open this application at ${origin}.`, { status: 403 });
  }
  const user = await signedInSubject();
  const form = await request.formData();
  const attempt = await user.connect({
    // The service refuses any other value.
    provider: form.get("provider") as SocialProvider,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl: returnUrl(),
  });
  await rememberAttempt(attempt.id, returnUrl());
  // The page posts a one-time token to the service. Its headers must not change.
  return launchPage(attempt).toResponse();
}
// #endregion connect
