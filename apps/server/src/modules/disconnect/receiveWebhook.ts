import type { SocialProvider } from "@social-connect/contract";
import { messageTimeProblem, WEBHOOK_MAX_AGE_MS } from "@social-connect/domain";
import type { WebhookMessage } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { endGrants, type MessageOutcome, refused } from "./endGrants.ts";
import { fittingRegistrations } from "./fittingRegistrations.ts";

/**
 * Handles a webhook of a provider. `authorization.removed` ends the grants of its user; other events change nothing. A
 * webhook that names the client of no registration whose secret signed it is refused.
 *
 * @throws SecretBoxError if no secret fits, and the secret of a registration cannot be read
 */
export async function receiveWebhook(
  service: Service,
  provider: SocialProvider,
  message: WebhookMessage,
): Promise<MessageOutcome> {
  const adapter = service.provider(provider);
  const now = await service.clock.now();
  const fitting = await fittingRegistrations(
    service,
    provider,
    (access) => adapter.verifyWebhook?.(access, message) ?? null,
    now,
  );
  const [first] = fitting;
  if (first === undefined) return refused("signature");
  const { signedAt, clientId, event, account } = first.message;
  const timeProblem = messageTimeProblem(signedAt, WEBHOOK_MAX_AGE_MS, now);
  if (timeProblem !== null) return refused(timeProblem);
  if (clientId === null || event === "malformed") return refused("malformed");
  if (fitting.every(({ access }) => access.clientId !== clientId)) return refused("foreign");
  if (account === null) return { result: "ignored", problem: null };
  return endGrants(
    service,
    fitting.map((one) => ({ ...one, message: { account } })),
    now,
  );
}
