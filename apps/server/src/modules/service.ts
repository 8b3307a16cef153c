import type { SocialProvider } from "@social-connect/contract";
import type { Pool } from "pg";
import type { Prisma, PrismaClient } from "../_generated/prisma/client.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Secret } from "../platform/secret.ts";
import type { SecretBox } from "../platform/secretBox.ts";
import type { ProviderAdapter } from "../providers/contract.ts";

/** What every use case is given. Composition roots build it once; tests build one on a database of their own. */
export interface Service {
  readonly mode: "sandbox" | "live";
  /** Address of the browser side of Connect and identity, without a trailing slash. */
  readonly connectHost: string;
  /** Address of the admin API and the panel, without a trailing slash. An `http` one on loopback says that plain http will do there. */
  readonly adminHost: string;
  /** Addresses whose `X-Forwarded-Proto` is believed. */
  readonly trustedProxies: readonly string[];
  /** Template of preview origins, e.g. `https://{label}.preview.example.app`; null where the deployment has none. */
  readonly previewOriginTemplate: string | null;
  /** The deployment's OpenID provider, for the identity handoff and the admins; null where none is configured. */
  readonly issuer: IssuerAccess | null;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  /** Spreads retries and background reads over their range: a number in [0, 1). */
  readonly jitter: () => number;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly queue: TaskQueue;
  readonly provider: (provider: SocialProvider) => ProviderAdapter;
}

/** How the service is known at its OpenID provider. */
export interface IssuerAccess {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

export type Transaction = Prisma.TransactionClient;

/** Names of the background tasks; worker/tasks.ts says what each runs. */
export type TaskName =
  | "scan"
  | "metrics"
  | "lookup"
  | "profile"
  | "recheck"
  | "revoke"
  | "erase"
  | "revokeOrphanedGrant";

/**
 * Hands work to the workers in the transaction that causes it: both happen or neither. `now` is what `startAfter` was counted
 * from; without it the clock is asked, which may take another connection than the transaction's.
 */
export interface TaskQueue {
  enqueue(
    transaction: Transaction,
    task: TaskName,
    payload: TaskPayload,
    options?: { readonly startAfter?: Date; readonly now?: Date },
  ): Promise<void>;
}

/** Ids only; never a secret, never a person's data. */
export interface TaskPayload {
  /** The row of `job`, or of `provider_grant` for `revokeOrphanedGrant`. */
  readonly id: string;
}
