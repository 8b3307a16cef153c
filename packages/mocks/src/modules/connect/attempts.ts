import type { SocialProvider } from "@social-connect/contract";
import type { ConnectAttemptEvent, SubjectScope } from "@social-connect/domain";
import {
  eventInTime,
  expiredAttemptCreatorAction,
  isSameScope,
  isUnfinished,
  moveAttempt,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

/** Applies an event. Throws when the attempt's status does not allow it; callers check first. */
export function move(attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttempt {
  const next = moveAttempt(attempt.status, event);
  if (next === null) throw new Error(`a ${attempt.status} attempt cannot take ${event}`);
  if (event === "DEADLINE_PASSED") attempt.creatorAction = expiredAttemptCreatorAction(attempt);
  attempt.status = next.status;
  attempt.resultCode = next.resultCode;
  return attempt;
}

/** Applies an event to every attempt that allows it and returns their number. An overdue attempt expires instead. */
export function moveAll(
  world: World,
  event: ConnectAttemptEvent,
  concerns: (attempt: ConnectAttempt) => boolean,
): number {
  let moved = 0;
  for (const attempt of world.state.connectAttempts.values()) {
    if (eventInTime(attempt, event, world.now()) !== event) continue;
    if (moveAttempt(attempt.status, event) === null || !concerns(attempt)) continue;
    move(attempt, event);
    moved += 1;
  }
  return moved;
}

/** Deadlines of the subject's unfinished attempts at a provider. */
export function unfinishedDeadlines(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
): Date[] {
  return [...world.state.connectAttempts.values()]
    .filter((one) => one.applicationId === applicationId && one.provider === provider)
    .filter((one) => isSameScope(one, scope) && isUnfinished(one.status))
    .map((one) => one.expiresAt);
}

/** True while a disconnect of the subject at the provider is not settled. */
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
