import { ACTIVITY_RANGES, type ActivityRange, addMs, isKeyActive, stepsOf } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type PageRequest, pageOf } from "../admin/page.ts";
import { readClient } from "../clients/changeClient.ts";
import { credentialView } from "../clients/credentials.ts";
import { foreseenReconnects } from "./foreseenReconnects.ts";

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;
const OVERDUE_MS = 5 * 60_000;

export function readOverview(world: World) {
  const { state } = world;
  const now = world.now();
  const since = addMs(now, -DAY_MS);
  const soon = addMs(now, SOON_MS);
  const endsSoon = (key: { readonly expiresAt: Date | null; readonly revokedAt: Date | null }) =>
    key.expiresAt !== null && key.expiresAt <= soon && isKeyActive({ ...key, expiresAt: key.expiresAt }, now);
  const jobs = [...state.jobs.values()];
  return {
    expiringApiKeys: [...state.adminKeys.values()].filter(endsSoon),
    expiringCredentials: [...state.applicationKeys.values()].filter(endsSoon).flatMap((key) => {
      const client = state.applications.get(key.applicationId);
      return client ? [{ clientId: client.id, clientSlug: client.slug, credential: credentialView(key) }] : [];
    }),
    foreseenReconnects: grouped(foreseenReconnects(world), ({ connection: { provider } }) => ({ provider })).map(
      ({ rows, ...group }) => ({
        ...group,
        firstAt: new Date(Math.min(...rows.map(({ endsAt }) => Number(endsAt)))),
        // All are counted.
        hasMore: false,
      }),
    ),
    jobs: grouped(
      jobs.filter((job) => job.createdAt > since),
      ({ provider, kind, status, errorCode, waitReason }) => ({ provider, kind, status, errorCode, waitReason }),
    ).map(({ rows, ...group }) => ({
      ...group,
      waitingToRetry: rows.filter((job) => job.nextRetryAt !== null).length,
    })),
    overdueJobs: jobs.filter(
      (job) => job.status === "QUEUED" && job.dueAtMs !== null && job.dueAtMs + OVERDUE_MS < now.getTime(),
    ).length,
    // The mock's providers have no quotas.
    fullQuotas: [],
    // The mock counts nothing over time.
    incidents: [],
    connections: countConnections([...state.connections.values()]),
    failedScans: grouped(
      [...state.connections.values()].filter((row) => row.scanErrorCode !== null),
      ({ provider, scanErrorCode: errorCode }) => ({ provider, errorCode }),
    ),
    connectAttempts: grouped(
      [...state.connectAttempts.values()].filter((attempt) => attempt.createdAt > since),
      ({ provider, status, resultCode }) => ({ provider, status, resultCode }),
    ),
  };
}

export function countClientConnections(world: World, clientId: string) {
  const { id } = readClient(world, clientId);
  return countConnections([...world.state.connections.values()].filter(({ applicationId }) => applicationId === id));
}

function countConnections(rows: readonly Connection[]) {
  return grouped(rows, ({ provider, status }) => ({ provider, status }));
}

/** The steps of a chart, without counts: the mock counts nothing over time. */
export function readActivity(world: World, range: ActivityRange) {
  const { from, last: lastStepAt } = stepsOf(range, world.now());
  return { from, lastStepAt, stepSeconds: ACTIVITY_RANGES[range].stepSeconds, counts: [] };
}

export interface SdkVersionName {
  readonly library: string;
  readonly version?: string | null;
}

/** A page without clients, for the same reason. */
export function listClientsOfSdkVersion(world: World, { library, version }: SdkVersionName, page: PageRequest) {
  const binding = ["sdkVersionClients", library, version ?? ""];
  return pageOf(world, [], page, { binding, positionOf: () => "", isAfter: () => false });
}

function grouped<Row, Group extends object>(rows: readonly Row[], groupOf: (row: Row) => Group) {
  const groups = new Map<string, Group & { count: number; rows: Row[] }>();
  for (const row of rows) {
    const key = JSON.stringify(groupOf(row));
    const group = groups.get(key) ?? { ...groupOf(row), count: 0, rows: [] };
    group.count += 1;
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}
