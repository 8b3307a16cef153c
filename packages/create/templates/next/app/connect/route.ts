import type { SocialProvider } from "@social-connect/sdk";
import { launchPage } from "@social-connect/sdk";
import { rememberAttempt } from "../../lib/attempt";
import { returnUrl, signedInSubject } from "../../lib/social";

// #region connect
export async function POST(request: Request): Promise<Response> {
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
