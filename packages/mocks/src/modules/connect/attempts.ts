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

/** Moves an attempt by what happened. Throws when that cannot happen to it: callers look first. */
export function move(attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttempt {
  const next = moveAttempt(attempt.status, event);
  if (next === null) throw new Error(`a ${attempt.status} attempt cannot take ${event}`);
  if (event === "DEADLINE_PASSED") attempt.creatorAction = expiredAttemptCreatorAction(attempt);
  attempt.status = next.status;
  attempt.resultCode = next.resultCode;
  return attempt;
}

/** Moves every attempt to which the event can happen; gives how many. One past its deadline is left to expire. */
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

/** True while a disconnect of the subject's account at the provider is still settling. */
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
