import type {
  ConnectCreatorAction,
  ConnectSessionStatus,
  IdpIdentityStatus,
  SocialProvider,
} from "@social-connect/contract";
import { mayReturnFromIdentityTo, mayReturnTo } from "../applications/policy.ts";
import type { AttemptMove } from "../connect/connectAttempt.ts";
import { attemptCreatorAction, moveAttempt } from "../connect/connectAttempt.ts";
import { moveIdentityAttempt } from "../identity/identityAttempt.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import type { Client } from "./client.ts";

/** Unfinished connect attempts of a client, before their deadline, that are alike in what decides over them. */
export interface OpenConnectAttempts {
  readonly status: ConnectSessionStatus;
  readonly provider: SocialProvider;
  readonly returnUrl: string;
  readonly count: number;
}

/** Unfinished identity attempts of a client, before their deadline, with the same return URL. */
export interface OpenIdentityAttempts {
  readonly returnUrl: string;
  readonly count: number;
}

export interface OpenAttempts {
  readonly connect: readonly OpenConnectAttempts[];
  readonly identity: readonly OpenIdentityAttempts[];
}

/** Ends the attempts that a client's change no longer allows. */
export type EndAttempts =
  | {
      readonly type: "END_CONNECT_ATTEMPTS";
      readonly attempts: OpenConnectAttempts;
      readonly patch: AttemptMove & { readonly creatorAction: ConnectCreatorAction | null };
    }
  | {
      readonly type: "END_IDENTITY_ATTEMPTS";
      readonly attempts: OpenIdentityAttempts;
      readonly patch: { readonly status: IdpIdentityStatus };
    };

/**
 * The attempts that end with a change of their client: all that no longer may return to their URL, and all of a disabled
 * client. A disabled client's attempt that is exchanging its code ends when it tries to link the account.
 */
export function attemptsToEnd(after: Client, open: OpenAttempts, previewTemplate: string | null): EndAttempts[] {
  const connect = open.connect.flatMap((attempts): EndAttempts[] => {
    const { status, provider, returnUrl } = attempts;
    const disabled = after.enabled ? null : moveAttempt(status, "APPLICATION_DISABLED");
    const unreturnable = mayReturnTo(returnUrl, after, previewTemplate) ? null : moveAttempt(status, "POLICY_CHANGED");
    const move = disabled ?? unreturnable;
    if (move === null) return [];
    const isGrantLeftBehind = status === "EXCHANGING" && !PROVIDER_TRAITS[provider].canRevoke;
    const patch = { ...move, creatorAction: attemptCreatorAction(isGrantLeftBehind) };
    return [{ type: "END_CONNECT_ATTEMPTS", attempts, patch }];
  });
  const failed = moveIdentityAttempt("PENDING", "HANDOFF_FAILED");
  const identity = open.identity.flatMap((attempts): EndAttempts[] => {
    const isAllowed = after.enabled && mayReturnFromIdentityTo(attempts.returnUrl, after);
    return isAllowed || failed === null ? [] : [{ type: "END_IDENTITY_ATTEMPTS", attempts, patch: { status: failed } }];
  });
  return [...connect, ...identity];
}

export function countAttempts(followUps: readonly EndAttempts[]): number {
  return followUps.reduce((sum, { attempts }) => sum + attempts.count, 0);
}
