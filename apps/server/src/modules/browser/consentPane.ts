import { newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import type { Service } from "../service.ts";

/**
 * The value of the cookie of a browser that may see the consent pane of an attempt: the launch token and the secrets of the
 * launch, encrypted. The pane and its buttons work in this browser only, and no page or URL contains the token.
 */
export function newPaneCookie({ secretBox }: Service, attemptId: string, launchToken: string): Secret {
  return new Secret(secretBox.seal([launchToken, newSecretHex(), newSecretHex()].join(" "), paneBinding(attemptId)));
}

/** The secrets in the cookie of an attempt; null for a cookie that the service did not set for it. */
export function paneSecretsOf({ secretBox }: Service, attemptId: string, cookie: string | null) {
  if (cookie === null) return null;
  try {
    const [launchToken = "", state = "", browserSecret = ""] = secretBox
      .open(cookie, paneBinding(attemptId))
      .split(" ");
    return { launchToken, secrets: { state: new Secret(state), browserSecret: new Secret(browserSecret) } };
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function paneBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/pane`;
}
