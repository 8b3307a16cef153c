import type { SocialProvider } from "@social-connect/sdk";
import { launchPage, SocialConnectError } from "@social-connect/sdk";
import { rememberAttempt } from "../../lib/attempt";
import { returnUrl, signedInSubject } from "../../lib/social";
import { errorText } from "../../lib/texts";

// #region connect
export async function POST(request: Request): Promise<Response> {
  // Only this application's own pages may post this form; the service accepts a launch from this origin only.
  const { origin } = new URL(returnUrl());
  if (request.headers.get("origin") !== origin) {
    return new Response(`Open this application at ${origin}.`, { status: 403 });
  }
  const form = await request.formData();
  try {
    const attempt = await (await signedInSubject()).connect({
      // The service refuses any other value.
      provider: form.get("provider") as SocialProvider,
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
      returnUrl: returnUrl(),
      reconnectConnectionId: form.get("reconnectConnectionId")?.toString(),
    });
    await rememberAttempt(attempt.id, returnUrl());
    // The page posts a one-time token to the service. Its headers must not change.
    return launchPage(attempt).toResponse();
  } catch (error) {
    if (!SocialConnectError.is(error)) throw error;
    // Errors of the SDK contain no key, token or argument, so they can be logged.
    console.error(JSON.stringify(error));
    return new Response(errorText(error), { status: 502 });
  }
}
// #endregion connect
