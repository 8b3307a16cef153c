import { EMPTY_CONTENT } from "@social-connect/domain";
import type {
  Connection,
  ConnectResult,
  ContentItem,
  ContentPage,
  DisconnectResult,
  SyncJob,
} from "../_generated/types.ts";

export const SESSION_WIRE = {
  id: "session-1",
  launchUrl: "https://sandbox.example.com/api/connect/redeem",
  launchToken: "ab".repeat(32),
  expiresAt: "2026-03-01T12:10:00.000Z",
  resultExpiresAt: "2026-03-02T12:00:00.000Z",
};

export function connectResult(status: string, fields: Partial<ConnectResult> = {}): ConnectResult {
  return {
    id: "session-1",
    provider: "PROVIDER_A",
    status,
    resultCode: null,
    connectionId: status === "COMPLETED" ? "connection-1" : null,
    creatorAction: null,
    expiresAt: SESSION_WIRE.expiresAt,
    resultExpiresAt: SESSION_WIRE.resultExpiresAt,
    ...fields,
  };
}

export function job(status: string, fields: Partial<SyncJob> = {}): SyncJob {
  return {
    id: "job-1",
    status,
    nextRetryAt: null,
    errorCode: null,
    creatorAction: null,
    resultProviderContentId: null,
    completeForWindow: null,
    incompleteReason: null,
    continuationCursor: null,
    ...fields,
  };
}

export function connection(id: string, fields: Partial<Connection> = {}): Connection {
  return {
    id,
    provider: "PROVIDER_A",
    providerAccountId: "channel-1",
    status: "CONNECTED",
    syncStatus: "READY",
    capabilities: [{ capability: "PROFILE", availability: "AVAILABLE", reason: null }],
    profile: null,
    lastSuccessfulSyncAt: "2026-03-01T11:00:00.000Z",
    nextRetryAt: null,
    ...fields,
  };
}

export function post(providerContentId: string, fields: Partial<ContentItem> = {}): ContentItem {
  return {
    ...EMPTY_CONTENT,
    id: `item-${providerContentId}`,
    providerContentId,
    provider: "PROVIDER_A",
    kind: "VIDEO",
    title: `Post ${providerContentId}`,
    publishedAt: "2026-02-20T08:00:00.000Z",
    availability: "AVAILABLE",
    reason: null,
    observedAt: "2026-03-01T11:00:00.000Z",
    metrics: [],
    ...fields,
  };
}

export function contentPage(items: readonly ContentItem[], endCursor: string | null = null): ContentPage {
  return {
    items,
    pageInfo: { endCursor, hasNextPage: endCursor !== null, completeForWindow: true, incompleteReason: null },
    lastSuccessfulSyncAt: "2026-03-01T11:00:00.000Z",
  };
}

export const DISCONNECTED: DisconnectResult = {
  accepted: true,
  connectionId: "connection-1",
  upstreamRevocationPending: true,
  revokeJobId: "revoke-1",
  eraseJobId: "erase-1",
  creatorAction: null,
};

export const WINDOW = { publishedAfter: "2026-02-01T00:00:00.000Z", publishedBefore: "2026-03-01T00:00:00.000Z" };
