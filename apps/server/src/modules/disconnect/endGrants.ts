import {
  authorizationRemoved,
  changesOf,
  connectionsOfUser,
  decideDeauthorization,
  messageTimeProblem,
} from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import type { DeauthorizedAccount } from "../../providers/contract.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { lockConnection } from "../connections/locks.ts";
import type { Service } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";
import type { Fitting } from "./fittingRegistrations.ts";

/** Why a provider's message is in the security log. */
type MessageProblem = "signature" | "untimed" | "old" | "future" | "foreign" | "malformed" | "repeated";

/** What a provider's message did. `ignored`: it is genuine, and changes nothing. */
export interface MessageOutcome {
  readonly result: "accepted" | "ignored" | "refused";
  readonly problem: MessageProblem | null;
}

export function refused(problem: MessageProblem): MessageOutcome {
  return { result: "refused", problem };
}

/**
 * Ends the grants of the user's connections in every registration whose secret signed the message, in all applications. A
 * repeated message, and one from before the current consent, changes nothing. One without a time is refused.
 */
export async function endGrants(
  service: Service,
  fitting: readonly Fitting<{ readonly account: DeauthorizedAccount }>[],
  now: Date,
): Promise<MessageOutcome> {
  const outcomes = new Set<"CHANGED" | "CONSENTED_SINCE" | "ENDED">();
  for (const { id, message } of fitting) {
    const { providerUserId, issuedAt } = message.account;
    const timeProblem = messageTimeProblem(issuedAt, null, now);
    if (issuedAt === null || timeProblem !== null) return refused(timeProblem ?? "untimed");
    for (const outcome of await endGrantsOf(service, id, { providerUserId, issuedAt }, now)) outcomes.add(outcome);
  }
  if (outcomes.size === 0 || outcomes.has("CHANGED")) return { result: "accepted", problem: null };
  return { result: "ignored", problem: outcomes.has("ENDED") ? "repeated" : "old" };
}

function endGrantsOf(
  service: Service,
  registrationId: string,
  { providerUserId, issuedAt }: { readonly providerUserId: string; readonly issuedAt: Date },
  now: Date,
) {
  const where = connectionsOfUser(registrationId, providerUserId);
  return service.prisma.$transaction(async (transaction) => {
    const outcomes: ("CHANGED" | "CONSENTED_SINCE" | "ENDED")[] = [];
    const select = { id: true, applicationId: true, application: { select: { slug: true } } } as const;
    for (const found of await transaction.connection.findMany({ where, select, orderBy: { id: "asc" } })) {
      const { id: connectionId, applicationId } = found;
      const connection = await lockConnection(transaction, found);
      if (connection === null) continue;
      const grant = await transaction.grant.findUnique({
        where: { connectionId_applicationId: { connectionId, applicationId } },
      });
      const change = decideDeauthorization({ connection, grant }, issuedAt, newId(), now);
      outcomes.push(typeof change === "string" ? change : "CHANGED");
      if (typeof change === "string") continue;
      await changeConnection(service, transaction, found, change.patch, now, "AUTHORIZATION_REMOVED");
      await applyFollowUps(service, transaction, applicationId, change.followUps, now);
      const audited = { ...connection, clientSlug: found.application.slug };
      const changes = changesOf({ status: connection.status }, { status: change.patch.status });
      await recordAudit(transaction, SYSTEM, now, authorizationRemoved(audited, changes));
    }
    return outcomes;
  });
}
