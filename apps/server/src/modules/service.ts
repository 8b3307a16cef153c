import type { SocialProvider } from "@social-connect/contract";
import type { JobKind } from "@social-connect/domain";
import type { Pool } from "pg";
import type { Prisma, PrismaClient } from "../_generated/prisma/client.ts";
import type { ReadQueries } from "../platform/database/readConnections.ts";
import type { Logger } from "../platform/log/logger.ts";
import type { Telemetry } from "../platform/log/telemetry.ts";
import type { Secret } from "../platform/secrets/secret.ts";
import type { SecretBox } from "../platform/secrets/secretBox.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { ProviderBreakers } from "../providers/breakers.ts";
import type { ProviderAdapter } from "../providers/contract.ts";
import type { RowKey } from "./rowKey.ts";

/** The dependencies of every use case. `makeService` puts it together: once for each process, and for each database of a test. */
export interface Service {
  readonly mode: "sandbox" | "live";
  /** Base URL of the browser pages of Connect and identity, without a trailing slash. */
  readonly connectHost: string;
  /** Base URL of the admin API and the panel, without a trailing slash. `http` on loopback allows plain http there. */
  readonly adminHost: string;
  /** Addresses whose `X-Forwarded-Proto` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Template of preview origins, e.g. `https://{label}.preview.example.app`; null where none are allowed. */
  readonly previewOriginTemplate: string | null;
  /** The deployment's OpenID provider, for the identity handoff and the admins; null when not configured. */
  readonly issuer: IssuerAccess | null;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  /** Connections for short reads, so that they never wait for writes and jobs, which use the two above. */
  readonly reads: Pick<Service, "pool" | "prisma">;
  /** For frequent short reads; see `ReadConnections`. */
  readonly hotReads: ReadQueries;
  readonly clock: Clock;
  /** Spreads retries and background reads over their range: a number in [0, 1). */
  readonly jitter: () => number;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Where the edges report requests, attempts at jobs and calls to providers. */
  readonly telemetry: Telemetry;
  readonly queue: TaskQueue;
  readonly provider: (provider: SocialProvider) => ProviderAdapter;
  /** Pause the reads of a provider that is repeatedly unavailable. */
  readonly breakers: ProviderBreakers;
}

/** The service's registration at its OpenID provider. */
export interface IssuerAccess {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** How the issuer returns to the callback; null or absent: as its metadata says. */
  readonly responseMode?: "query" | "form_post" | null;
}

export type Transaction = Prisma.TransactionClient;

/**
 * Names of the background tasks: one for each kind of job, one for grants, and one for deliveries of events. worker/tasks.ts
 * maps them to use cases.
 */
export type TaskName = Lowercase<JobKind> | "revokeOrphanedGrant" | "deliver";

export function taskOfKind(kind: JobKind): TaskName {
  return kind.toLowerCase() as Lowercase<JobKind>;
}

/**
 * Enqueues work in the transaction that causes it. `now` is the time from which `startAfter` was computed; without it the clock is read, which may use another connection than the transaction's.
 */
export interface TaskQueue {
  /** Enqueues tasks, in one statement for each queue. Those with `startAfter` need `now`, as in `enqueue`. */
  enqueueAll(transaction: Transaction, tasks: readonly NewTask[], now?: Date): Promise<void>;
  /** The deliveries of an endpoint for which a task waits or runs. */
  findDeliveries(transaction: Transaction, endpoint: EndpointOfTasks): Promise<ReadonlySet<string>>;
  /** Whether at least so many tasks of an endpoint wait. */
  hasDeliveries(transaction: Transaction, endpoint: EndpointOfTasks, count: number): Promise<boolean>;
  enqueue(
    transaction: Transaction,
    task: TaskName,
    /** The row of `job`, of `provider_grant` for `revokeOrphanedGrant`, or of `event_delivery` for `deliver`. */
    row: RowKey,
    options?: { readonly startAfter?: Date; readonly now?: Date },
  ): Promise<void>;
}

type EndpointOfTasks = Required<Pick<TaskOwner, "applicationId" | "endpointId">>;

/** A task with what the queue needs to know of its row. */
export interface NewTask extends TaskOwner, RowKey {
  readonly task: TaskName;
  /** Immediately without it. */
  readonly startAfter?: Date;
}

/** What a task is for, which decides its queue and its turn. */
export interface TaskOwner {
  readonly applicationId: string;
  /** null for a delivery, whose queue serves all providers. */
  readonly provider: SocialProvider | null;
  readonly urgency: Urgency;
  /** The endpoint of a delivery: endpoints take turns, as applications do with other tasks. */
  readonly endpointId?: string;
}

/** Work that a caller requested; the first reads of a new account; work that the service scheduled. */
export type Urgency = "requested" | "first" | "background";
