import type { Fits } from "@social-connect/sdk-core";
import { flag, list, optional, record, text } from "@social-connect/sdk-core";
import type { OperationName } from "./operations.ts";

const maybeText = optional(text);
const pageInfo = { endCursor: maybeText, hasNextPage: flag };
const launch = { id: text, launchUrl: text, launchToken: text, expiresAt: text, resultExpiresAt: text };

const job = record({
  id: text,
  status: text,
  nextRetryAt: maybeText,
  errorCode: maybeText,
  creatorAction: maybeText,
  resultProviderContentId: maybeText,
  completeForWindow: optional(flag),
  incompleteReason: maybeText,
  continuationCursor: maybeText,
});

const profile = record({
  providerAccountId: text,
  displayName: maybeText,
  handle: maybeText,
  avatarUrl: maybeText,
  profileUrl: maybeText,
  description: maybeText,
  observedAt: text,
});

const connection = record({
  id: text,
  provider: text,
  providerAccountId: text,
  status: text,
  syncStatus: text,
  capabilities: list(record({ capability: text, availability: text, reason: maybeText })),
  profile: optional(profile),
  lastSuccessfulSyncAt: maybeText,
  nextRetryAt: maybeText,
});

const metric = record({
  name: text,
  value: maybeText,
  availability: text,
  reason: maybeText,
  sourceField: maybeText,
  observedAt: text,
});

const contentItem = record({
  id: text,
  providerContentId: text,
  provider: text,
  kind: text,
  canonicalUrl: maybeText,
  thumbnailUrl: maybeText,
  title: maybeText,
  description: maybeText,
  publishedAt: maybeText,
  availability: text,
  reason: maybeText,
  observedAt: text,
  metrics: list(metric),
});

/**
 * What each operation answers, to the last field that its document asks for; a test holds this against the published
 * schema. Values of enumerations are texts: one that is not known yet is data.
 */
const SHAPES: { readonly [Operation in OperationName]: Fits } = {
  status: record({ ok: flag, message: text }),
  integrationReadiness: record({
    providers: list(record({ provider: text, available: flag })),
    idpIdentityAvailable: flag,
  }),
  createConnectSession: record(launch),
  connectSessionResult: record({
    id: text,
    provider: text,
    status: text,
    resultCode: maybeText,
    connectionId: maybeText,
    creatorAction: maybeText,
    expiresAt: text,
    resultExpiresAt: text,
  }),
  connection,
  connections: record({ items: list(connection), pageInfo: record(pageInfo) }),
  content: record({
    items: list(contentItem),
    pageInfo: record({ ...pageInfo, completeForWindow: flag, incompleteReason: maybeText }),
    lastSuccessfulSyncAt: maybeText,
  }),
  contentItem: optional(contentItem),
  requestRefresh: job,
  requestContentLookup: job,
  syncJob: job,
  disconnectConnection: record({
    accepted: flag,
    connectionId: text,
    upstreamRevocationPending: flag,
    revokeJobId: text,
    eraseJobId: text,
    creatorAction: maybeText,
  }),
  createIdpIdentitySession: record({ ...launch, resultProof: text }),
  redeemIdpIdentityResult: record({
    status: text,
    issuer: maybeText,
    idpSub: maybeText,
    email: maybeText,
    emailVerified: optional(flag),
    name: maybeText,
    pictureUrl: maybeText,
  }),
};

/** Whether an operation's value is what the schema promises; what the document did not ask for is dropped from it. */
export function hasShape(operation: OperationName, value: unknown): boolean {
  return SHAPES[operation](value);
}
