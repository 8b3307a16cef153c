import type { Capability, ConnectionStatus, SocialProvider } from "@social-connect/contract";
import {
  type ApplicationPolicy,
  type ApplicationReturnUrls,
  type ConnectInput,
  checkConnectInput,
} from "../applications/policy.ts";
import type { SubjectScope } from "../applications/scope.ts";
import { checkReconnectTarget, checkReconnectTargetUnchanged } from "../connections/connection.ts";
import type { Change } from "../decisions/change.ts";
import { PROVIDER_NOT_AVAILABLE } from "../decisions/commonRefusals.ts";
import { type Refusal, refuse } from "../decisions/refusal.ts";
import { addMs } from "../time/time.ts";
import {
  attemptDeadlines,
  type ConnectAttempt,
  checkRecentAttempts,
  checkUnfinishedAttempts,
  type RecentAttempts,
} from "./connectAttempt.ts";

const DISCONNECT_SETTLING = refuse("FORBIDDEN", "A disconnect at this provider is still in progress. Try again later.");

interface ReconnectTarget {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly status: ConnectionStatus;
}

export interface CreateSessionFacts {
  readonly application: ApplicationPolicy & ApplicationReturnUrls & { readonly id: string };
  readonly previewTemplate: string | null;
  /** The connection to reconnect in the caller's scope when the call arrived, and its status now. */
  readonly target: ReconnectTarget | null;
  readonly targetStatus: ConnectionStatus | null;
  /** A disconnect of the subject at the provider has not settled: its revoke, or the re-check of a suspended connection. */
  readonly isRevokeSettling: boolean;
  /** The published registration that serves the application at the provider. */
  readonly registration: { readonly id: string; readonly capabilities: readonly Capability[] } | null;
  /** Deadlines of the subject's unfinished attempts at the provider. */
  readonly unfinished: readonly Date[];
  readonly newest: Date | null;
  readonly recent: RecentAttempts;
}

export interface NewConnectAttempt extends ConnectAttempt, SubjectScope {
  readonly applicationId: string;
  readonly registrationId: string;
  readonly capabilities: Capability[];
  readonly returnUrl: string;
  readonly reconnectConnectionId: string | null;
  readonly createdAt: Date;
}

/** Starts a connect attempt. Source: service description, part 4, createConnectSession. */
export function decideCreateConnectSession(
  facts: CreateSessionFacts,
  input: ConnectInput,
  now: Date,
): Refusal | Change<NewConnectAttempt> {
  const { application, target, registration } = facts;
  const { scope, provider, capabilities, returnUrl } = input;
  const refusal =
    checkConnectInput(input, application, facts.previewTemplate) ??
    (input.reconnectConnectionId == null ? null : checkReconnectTarget(target, provider)) ??
    checkReconnectTargetUnchanged(target?.status ?? null, facts.targetStatus) ??
    (facts.isRevokeSettling ? DISCONNECT_SETTLING : null);
  if (refusal !== null) return refusal;
  if (registration === null || !capabilities.every((one) => registration.capabilities.includes(one))) {
    return PROVIDER_NOT_AVAILABLE;
  }
  const limit = checkUnfinishedAttempts(facts.unfinished, now) ?? checkRecentAttempts(facts.recent, now);
  if (limit !== null) return limit;
  return {
    patch: {
      applicationId: application.id,
      tenantKey: scope.tenantKey,
      externalSubjectId: scope.externalSubjectId,
      provider,
      registrationId: registration.id,
      capabilities: [...capabilities],
      returnUrl,
      reconnectConnectionId: target?.id ?? null,
      status: "CREATED",
      resultCode: null,
      connectionId: null,
      creatorAction: null,
      createdAt: timeAfter(facts.newest, now),
      ...attemptDeadlines(now),
    },
    followUps: [],
  };
}

/** Later than the subject's other attempts, also of the same instant: the order of the times decides which is newer. */
function timeAfter(newest: Date | null, now: Date): Date {
  return newest === null || newest < now ? now : addMs(newest, 1);
}
