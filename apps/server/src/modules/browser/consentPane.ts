import { Secret } from "../../platform/secret.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import type { Service } from "../service.ts";

/**
 * The value of the cookie of a browser that may see the consent pane of an attempt: the launch token, encrypted. The pane
 * and its button work in this browser only, and no page or URL contains the token.
 */
export function paneSecret({ secretBox }: Service, attemptId: string, launchToken: string): Secret {
  return new Secret(secretBox.seal(launchToken, paneBinding(attemptId)));
}

/** The launch token in the cookie of an attempt; null for a cookie that the service did not set for it. */
export function launchTokenOf({ secretBox }: Service, attemptId: string, cookie: string | null): string | null {
  if (cookie === null) return null;
  try {
    return secretBox.open(cookie, paneBinding(attemptId));
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function paneBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/pane`;
}
