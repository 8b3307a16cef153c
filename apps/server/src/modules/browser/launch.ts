import { hash } from "node:crypto";
import type { Capability, SocialProvider } from "@social-connect/contract";
import { type ApplicationOrigins, type BrowserAttemptKind, checkLaunch, isLaunchToken } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { Service } from "../service.ts";

/** The secrets of a launch: of the provider's redirect, and of the browser that it is bound to. */
export interface LaunchSecrets {
  readonly state: Secret;
  readonly browserSecret: Secret;
}

/** The state follows from the secret, so that the cookie of a browser leads to the same redirect again. */
export function launchSecrets(browserSecret: string): LaunchSecrets {
  const state = new Secret(hash("sha256", `state of ${browserSecret}`));
  return { state, browserSecret: new Secret(browserSecret) };
}

export interface LaunchRequest {
  readonly launchToken: string;
  /** In place of the token, in the browser that launched the attempt. */
  readonly launchTokenHash?: Uint8Array<ArrayBuffer>;
  readonly origin: string | null;
  /** From the cookie of the consent pane, so that its button leads to the same redirect. */
  readonly secrets?: LaunchSecrets;
  /**
   * What the request is for: `REDIRECT` and `REQUEST_PANE` are forms of the application's page, `ACCEPT_PANE` and
   * `LEAVE_PANE` are the buttons of the pane. `SHOW_PANE` has no origin; like for the buttons, its token comes from the cookie
   * of the pane.
   */
  readonly step?: "REDIRECT" | "REQUEST_PANE" | "SHOW_PANE" | "ACCEPT_PANE" | "LEAVE_PANE";
  /** With `ACCEPT_PANE`: the person chooses the account at the provider. */
  readonly isOtherAccount?: boolean;
}

/** The attempt of a page, for its branding and its link back. */
export interface AttemptOfPage {
  readonly attemptId: string;
  readonly applicationId: string;
  readonly returnUrl: string;
}

/** What the consent pane shows. */
export interface ConsentPane {
  readonly provider: SocialProvider;
  readonly providerHost: string;
  /** Whether the provider's consent page uses plain http, as a simulator on this machine does. */
  readonly isPlainHttp: boolean;
  readonly capabilities: readonly Capability[];
  /** Whether a button asks the provider for another account: not where the provider asks in any case. */
  readonly offersOtherAccount: boolean;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** The result for an attempt whose token was accepted. */
export type Launched =
  | { readonly outcome: "redirect"; readonly location: URL; readonly browserSecret: Secret; readonly expiresAt: Date }
  | { readonly outcome: "pane"; readonly pane: ConsentPane }
  /** The user turned back at the pane, which canceled the attempt. */
  | { readonly outcome: "left" }
  | { readonly outcome: "token-spent" | "expired" | "unavailable" };

/** The outcome of launching a connect or identity attempt. */
export type LaunchOutcome =
  | (Launched & AttemptOfPage)
  | ({ readonly outcome: "origin-refused"; readonly originMissing: boolean } & AttemptOfPage)
  /** A token that was never issued, or whose attempt is deleted. */
  | { readonly outcome: "token-unknown" };

/** Attempts that an application starts. */
export type AttemptKind = Exclude<BrowserAttemptKind, "panel" | "pane">;

/** A callback of the provider or the issuer, as the browser delivers it. */
export interface Callback {
  readonly query: URLSearchParams;
  /** The secret from the cookie that the launch set for this attempt, or null if the browser does not send it. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type CallbackOutcome<Attempt> =
  | { readonly outcome: "ended" | "malformed" | "expired"; readonly attempt: Attempt }
  | { readonly outcome: "unknown-state" }
  | ({ readonly outcome: "foreign-browser" | "state-used" } & AttemptOfPage);

interface LaunchedAttempt extends Pick<ConnectAttempt, "id" | "applicationId" | "returnUrl" | "resultExpiresAt"> {
  readonly application: ApplicationOrigins;
}

/** Redeems a one-use launch token that the application's page posted, or the service's consent pane. */
export async function redeemLaunch<Attempt extends LaunchedAttempt>(
  service: Service,
  { launchToken, launchTokenHash, origin, step = "REDIRECT" }: LaunchRequest,
  find: (launchTokenHash: Uint8Array<ArrayBuffer>) => Promise<Attempt | null>,
  launch: (attempt: Attempt, now: Date) => Promise<Launched>,
): Promise<LaunchOutcome> {
  const tokenHash = launchTokenHash ?? (isLaunchToken(launchToken) ? sha256(launchToken) : null);
  const found = tokenHash && (await find(tokenHash));
  const now = await service.clock.now();
  const isOfApplication = step === "REDIRECT" || step === "REQUEST_PANE";
  const own = new URL(service.connectHost).origin;
  // The pane's form is posted by a page of the service, and by no other.
  const posted = found && (isOfApplication ? found : { ...found, application: onlyOrigin(own) });
  const from = {
    origin: step === "SHOW_PANE" ? own : origin,
    previewTemplate: isOfApplication ? service.previewOriginTemplate : null,
  };
  const refusal = checkLaunch(posted, from, now);
  if (found === null || refusal?.outcome === "token-spent") return { outcome: "token-unknown" };
  const attempt = attemptOfPage(found);
  return refusal === null ? { ...(await launch(found, now)), ...attempt } : { ...refusal, ...attempt };
}

function onlyOrigin(origin: string): ApplicationOrigins {
  return { webOrigins: [origin], previewOriginsEnabled: false };
}

export function attemptOfPage(attempt: Pick<LaunchedAttempt, "id" | "applicationId" | "returnUrl">): AttemptOfPage {
  const { id: attemptId, applicationId, returnUrl } = attempt;
  return { attemptId, applicationId, returnUrl };
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
