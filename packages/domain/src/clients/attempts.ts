import type { ConnectSessionStatus, IdpIdentityStatus, SocialProvider } from "@social-connect/contract";
import { mayReturnFromIdentityTo, mayReturnTo } from "../applications/policy.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { type Touched, touchedChanges } from "../audit/touched.ts";
import { type AttemptPatch, changeAttempt } from "../connect/connectAttempt.ts";
import { moveIdentityAttempt } from "../identity/identityAttempt.ts";
import type { Client } from "./client.ts";

/** Unfinished connect attempts of a client, before their deadline, with the same values. */
export interface OpenConnectAttempts {
  readonly status: ConnectSessionStatus;
  readonly provider: SocialProvider;
  readonly returnUrl: string;
}

/** Unfinished identity attempts of a client, before their deadline, with the same return URL. */
export interface OpenIdentityAttempts {
  readonly returnUrl: string;
}

export interface OpenAttempts {
  readonly connect: readonly OpenConnectAttempts[];
  readonly identity: readonly OpenIdentityAttempts[];
}

export type EndAttempts =
  | {
      readonly type: "END_CONNECT_ATTEMPTS";
      readonly attempts: OpenConnectAttempts;
      readonly patch: AttemptPatch;
    }
  | {
      readonly type: "END_IDENTITY_ATTEMPTS";
      readonly attempts: OpenIdentityAttempts;
      readonly patch: { readonly status: IdpIdentityStatus };
    };

/**
 * The attempts that end with a change of their client: those whose return URL is no longer allowed, and all of a disabled
 * client. A disabled client's attempt that is exchanging its code ends when it tries to link the account.
 */
export function attemptsToEnd(after: Client, open: OpenAttempts, previewTemplate: string | null): EndAttempts[] {
  const connect = open.connect.flatMap((attempts): EndAttempts[] => {
    const disabled = after.enabled ? null : changeAttempt(attempts, "APPLICATION_DISABLED");
    const mayReturn = mayReturnTo(attempts.returnUrl, after, previewTemplate);
    const patch = disabled ?? (mayReturn ? null : changeAttempt(attempts, "POLICY_CHANGED"));
    return patch === null ? [] : [{ type: "END_CONNECT_ATTEMPTS", attempts, patch }];
  });
  const failed = moveIdentityAttempt("PENDING", "HANDOFF_FAILED");
  const identity = open.identity.flatMap((attempts): EndAttempts[] => {
    const isAllowed = after.enabled && mayReturnFromIdentityTo(attempts.returnUrl, after);
    return isAllowed || failed === null ? [] : [{ type: "END_IDENTITY_ATTEMPTS", attempts, patch: { status: failed } }];
  });
  return [...connect, ...identity];
}

/** The audit entry once the attempts have ended: only then is their number certain. `touched`: what else a removal touches. */
export function auditWithEnded(audit: AuditRecord, endedAttempts: number, touched: Touched | null = null): AuditRecord {
  const counts = touched === null ? {} : { ...touched, unfinishedAttempts: endedAttempts };
  const changed = { ...audit, changes: [...audit.changes, ...touchedChanges(counts)] };
  if (audit.action !== "Client disabled") return changed;
  return { ...changed, summary: audit.summary.replace(/\.$/, `; unfinished attempts ended: ${endedAttempts}.`) };
}
