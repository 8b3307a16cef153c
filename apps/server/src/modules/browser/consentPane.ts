import { Secret } from "../../platform/secret.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import type { Service } from "../service.ts";

/**
 * The value of the cookie of a browser that was shown the consent pane of an attempt. Only the service can make it, so the
 * button works in that browser only: the first form proved that it came from the application's page.
 */
export function paneSecret({ secretBox }: Service, attemptId: string): Secret {
  return new Secret(secretBox.seal(attemptId, paneBinding(attemptId)));
}

export function isPaneOf({ secretBox }: Service, attemptId: string, cookie: string | null): boolean {
  if (cookie === null) return false;
  try {
    return secretBox.open(cookie, paneBinding(attemptId)) === attemptId;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

function paneBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/pane`;
}
