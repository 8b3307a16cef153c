import type { ConnectSessionStatus, RegistrationStatus } from "@social-connect/contract";
import { type ApplicationReturnUrls, mayReturnTo } from "../applications/policy.ts";
import type { Change } from "../decisions/change.ts";
import { hasPassed } from "../time/time.ts";
import {
  type AttemptMove,
  type AttemptPatch,
  CONNECT_ATTEMPT_TRANSITIONS,
  type ConnectAttempt,
  changeAttempt,
  eventInTime,
} from "./connectAttempt.ts";

export interface LaunchFacts {
  readonly attempt: Pick<ConnectAttempt, "status" | "provider" | "expiresAt"> & {
    readonly returnUrl: string;
    readonly reconnectConnectionId: string | null;
    readonly createdAt: Date;
  };
  readonly application: ApplicationReturnUrls & { readonly enabled: boolean };
  readonly registration: { readonly status: RegistrationStatus };
  readonly previewTemplate: string | null;
  /** Whether a consent pane asks that launched the attempt before: its user returned from the provider. */
  readonly wasLaunchedHere: boolean;
}

/** Cancels the attempts with one of these statuses, before their deadline, to reconnect a connection. */
export interface CancelReconnects {
  readonly type: "CANCEL_RECONNECTS";
  readonly connectionId: string;
  readonly statuses: readonly ConnectSessionStatus[];
  /** Only attempts created before this time; null cancels all. */
  readonly createdBefore: Date | null;
  readonly patch: AttemptMove;
}

export function cancelReconnects(
  connectionId: string,
  event: "SUPERSEDED" | "RECONNECT_TARGET_GONE",
  createdBefore: Date | null,
): CancelReconnects {
  const { from: statuses, to: status, resultCode } = CONNECT_ATTEMPT_TRANSITIONS[event];
  return { type: "CANCEL_RECONNECTS", connectionId, statuses, createdBefore, patch: { status, resultCode } };
}

export interface LaunchDecision extends Change<AttemptPatch | null, CancelReconnects> {
  readonly outcome: "redirect" | "token-spent" | "expired" | "unavailable";
}

/** Launches an attempt, once, or leads the user of its consent pane to the provider again. A newer attempt to reconnect a connection cancels the older ones. */
export function decideLaunch(facts: LaunchFacts, now: Date): LaunchDecision {
  const { attempt, wasLaunchedHere } = facts;
  if (!isOpen(attempt, wasLaunchedHere)) return unchanged(attempt.status === "EXPIRED" ? "expired" : "token-spent");
  const event = launchEvent(facts, now);
  if (event === null) return unchanged("unavailable");
  return {
    outcome: OUTCOMES[event],
    patch: changeAttempt(attempt, event),
    followUps: event === "LAUNCH_REDEEMED" ? olderReconnects(attempt) : [],
  };
}

const OUTCOMES = {
  LAUNCH_REDEEMED: "redirect",
  DEADLINE_PASSED: "expired",
  APPLICATION_DISABLED: "unavailable",
  POLICY_CHANGED: "unavailable",
} as const;

/** null while the registration is paused: the token stays valid. */
function launchEvent(
  { attempt, application, registration, previewTemplate }: LaunchFacts,
  now: Date,
): keyof typeof OUTCOMES | null {
  if (hasPassed(attempt.expiresAt, now)) return "DEADLINE_PASSED";
  if (!application.enabled) return "APPLICATION_DISABLED";
  if (!mayReturnTo(attempt.returnUrl, application, previewTemplate)) return "POLICY_CHANGED";
  return registration.status === "PUBLISHED" ? "LAUNCH_REDEEMED" : null;
}

/**
 * Whether the consent request asks the provider to let the person choose the account. Without, a subject with one account could
 * never connect another. A reconnect needs the same account again.
 */
export function asksForAccountChoice(facts: {
  readonly reconnectConnectionId: string | null;
  /** Whether the subject has a connection of this provider that is not disconnected. */
  readonly hasConnection: boolean;
  /** Whether the person pressed the button for another account. */
  readonly isOtherAccount: boolean;
}): boolean {
  return facts.reconnectConnectionId === null && (facts.hasConnection || facts.isOtherAccount);
}

interface LeaveFacts extends Pick<LaunchFacts, "wasLaunchedHere"> {
  readonly attempt: Pick<LaunchFacts["attempt"], "status" | "provider" | "expiresAt">;
}

/** Ends an attempt whose user turns back at the consent pane, so that it no longer counts as pending. */
export function decideLeavePane(
  { attempt, wasLaunchedHere }: LeaveFacts,
  now: Date,
): { readonly outcome: "left" | "token-spent" | "expired"; readonly patch: AttemptPatch | null } {
  if (!isOpen(attempt, wasLaunchedHere))
    return { outcome: attempt.status === "EXPIRED" ? "expired" : "token-spent", patch: null };
  const event = eventInTime(attempt, "TURNED_BACK", now);
  return { outcome: event === "TURNED_BACK" ? "left" : "expired", patch: changeAttempt(attempt, event) };
}

/** Whether the buttons of the consent pane work: before the launch, and until the provider's callback. */
function isOpen({ status }: Pick<ConnectAttempt, "status">, wasLaunchedHere: boolean): boolean {
  return status === "CREATED" || (wasLaunchedHere && status === "AUTHORIZING");
}

function olderReconnects({ createdAt, reconnectConnectionId }: LaunchFacts["attempt"]): CancelReconnects[] {
  if (reconnectConnectionId === null) return [];
  return [cancelReconnects(reconnectConnectionId, "SUPERSEDED", createdAt)];
}

function unchanged(outcome: LaunchDecision["outcome"]): LaunchDecision {
  return { outcome, patch: null, followUps: [] };
}
