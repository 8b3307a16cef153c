import type { SocialProvider } from "@social-connect/contract";
import {
  type CancelReconnects,
  type ConnectAttemptEvent,
  changeAttempt,
  hasPassed,
  isSameScope,
  isUnfinished,
  type RecentAttempts,
  type SubjectScope,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { patchAttempt } from "../events/recordEvents.ts";

/** Applies an event. Throws when the attempt's status does not allow it; callers check first. */
export function move(world: World, attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttempt {
  const patch = changeAttempt(attempt, event);
  if (patch === null) throw new Error(`Cannot move an attempt from ${attempt.status} on ${event}.`);
  return patchAttempt(world, attempt, patch);
}

export function cancelReconnects(
  world: World,
  { connectionId, statuses, createdBefore, patch }: CancelReconnects,
): void {
  for (const attempt of world.state.connectAttempts.values()) {
    if (attempt.reconnectConnectionId !== connectionId || hasPassed(attempt.expiresAt, world.now())) continue;
    if (createdBefore !== null && attempt.createdAt >= createdBefore) continue;
    if (statuses.includes(attempt.status)) patchAttempt(world, attempt, patch);
  }
}

export function unfinishedAttempts(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
): ConnectAttempt[] {
  return [...world.state.connectAttempts.values()]
    .filter((one) => one.applicationId === applicationId && one.provider === provider)
    .filter((one) => isSameScope(one, scope) && isUnfinished(one.status));
}

export function recentAttempts(
  world: World,
  attempts: ReadonlyMap<string, { readonly applicationId: string; readonly status: string; readonly expiresAt: Date }>,
  applicationId: string,
): RecentAttempts {
  const now = world.now();
  let [count, oldestDeadline]: [number, Date | null] = [0, null];
  for (const { applicationId: owner, status, expiresAt } of attempts.values()) {
    if (owner !== applicationId || status === "COMPLETED" || hasPassed(expiresAt, now)) continue;
    count += 1;
    if (oldestDeadline === null || expiresAt < oldestDeadline) oldestDeadline = expiresAt;
  }
  return { count, oldestDeadline };
}

export function isRevokeSettling(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
): boolean {
  for (const one of world.state.settlements.values()) {
    if (one.applicationId === applicationId && one.provider === provider && isSameScope(one, scope)) return true;
  }
  return false;
}
