import type { ApplicationOrigins, BrowserAttemptKind } from "@social-connect/domain";
import { checkLaunch, isLaunchToken } from "@social-connect/domain";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Service } from "../service.ts";

export interface LaunchRequest {
  readonly launchToken: string;
  /** The Origin header. */
  readonly origin: string | null;
}

/** The outcome of launching a connect or identity attempt. */
export type LaunchOutcome =
  | {
      readonly outcome: "redirect";
      readonly location: URL;
      readonly attemptId: string;
      readonly browserSecret: Secret;
      readonly expiresAt: Date;
    }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean; readonly attemptId: string }
  /** The attempt whose token was already used; null for a token that was never issued. */
  | { readonly outcome: "token-spent"; readonly attemptId: string | null }
  | { readonly outcome: "expired" | "unavailable" };

/** Attempts that an application starts. */
export type AttemptKind = Exclude<BrowserAttemptKind, "panel">;

/** A callback of the provider or the issuer, as the browser delivers it. */
export interface Callback {
  readonly query: URLSearchParams;
  /** The secret from the cookie that the launch set for this attempt, or null if the browser does not send it. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type CallbackOutcome<Attempt> =
  | { readonly outcome: "ended" | "malformed" | "expired"; readonly attempt: Attempt }
  | { readonly outcome: "unknown-state" }
  | { readonly outcome: "foreign-browser" | "state-used"; readonly attemptId: string };

interface LaunchedAttempt {
  readonly id: string;
  readonly resultExpiresAt: Date;
  readonly application: ApplicationOrigins;
}

/** Redeems a one-use launch token that the application's page posted. */
export async function redeemLaunch<Attempt extends LaunchedAttempt>(
  service: Service,
  { launchToken, origin }: LaunchRequest,
  find: (launchTokenHash: Uint8Array<ArrayBuffer>) => Promise<Attempt | null>,
  launch: (attempt: Attempt, now: Date) => Promise<LaunchOutcome>,
): Promise<LaunchOutcome> {
  const found = isLaunchToken(launchToken) ? await find(sha256(launchToken)) : null;
  const now = await service.clock.now();
  const refusal = checkLaunch(found, { origin, previewTemplate: service.previewOriginTemplate }, now);
  if (found === null || refusal?.outcome === "token-spent") return { outcome: "token-spent", attemptId: null };
  return refusal === null ? launch(found, now) : { ...refusal, attemptId: found.id };
}

/** Whether this is the browser that the connect or identity attempt was bound to at launch. */
export function isBoundBrowser(
  attempt: { readonly browserHash: Uint8Array | null },
  browserSecret: string | null,
): boolean {
  return (
    browserSecret !== null && attempt.browserHash !== null && equalHashes(sha256(browserSecret), attempt.browserHash)
  );
}
