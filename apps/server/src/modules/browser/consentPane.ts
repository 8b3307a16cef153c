import { newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { SecretBoxError } from "../../platform/secrets/secretBox.ts";
import type { Service } from "../service.ts";
import { type LaunchRequest, launchSecrets } from "./launch.ts";

/**
 * The value of the cookie of a browser that may see the consent pane of an attempt: the launch token and the secrets of the
 * launch, encrypted. The pane and its buttons work in this browser only, and no page or URL contains the token.
 */
export function newPaneCookie({ secretBox }: Service, attemptId: string, launchToken: string): Secret {
  return new Secret(secretBox.seal([launchToken, newSecretHex()].join(" "), paneBinding(attemptId)));
}

type PaneAccess = Pick<LaunchRequest, "launchToken" | "launchTokenHash" | "secrets">;

/** What gives a browser the pane of an attempt: the cookie of its pane or, after the launch, that of the launch; null otherwise. */
export async function paneAccess(
  service: Service,
  attemptId: string,
  cookieOf: (kind: "pane" | "connect") => string | null,
): Promise<PaneAccess | null> {
  const [ofPane, ofLaunch] = [cookieOf("pane"), cookieOf("connect")];
  const opened = ofPane && paneSecretsOf(service, attemptId, ofPane);
  if (opened || ofLaunch === null) return opened || null;
  const secrets = launchSecrets(ofLaunch);
  const stateHash = sha256(secrets.state.reveal());
  const attempt = await service.prisma.connectAttempt.findFirst({ where: { stateHash } });
  return attempt?.id === attemptId ? { launchToken: "", launchTokenHash: attempt.launchTokenHash, secrets } : null;
}

/** The secrets in the cookie of a pane; null for a cookie that the service did not set for the attempt. */
function paneSecretsOf({ secretBox }: Service, attemptId: string, cookie: string): PaneAccess | null {
  try {
    const [launchToken = "", browserSecret = ""] = secretBox.open(cookie, paneBinding(attemptId)).split(" ");
    return { launchToken, secrets: launchSecrets(browserSecret) };
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function paneBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/pane`;
}
