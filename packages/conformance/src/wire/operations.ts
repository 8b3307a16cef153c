import type { ApiCaller, RequestOptions } from "./call.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOf } from "./outcome.ts";
import type { OperationName, Operations } from "./types.ts";

const ATTEMPT = "id launchUrl launchToken expiresAt resultExpiresAt";
const JOB =
  "id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor";
const CONNECTION = `id provider providerAccountId status syncStatus lastSuccessfulSyncAt nextRetryAt
  capabilities { capability availability reason }
  profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt }`;
const POST = `id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt
  metrics { name value availability reason sourceField observedAt }`;

interface OperationText {
  readonly kind: "query" | "mutation";
  readonly args: Readonly<Record<string, string>>;
  readonly fields: string;
}

const SCOPE = { scope: "SubjectScope!" } as const;

/** Every operation with all of its arguments and all fields of its answer, as parts 2 and 4 have them. */
const OPERATIONS: Readonly<Record<OperationName, OperationText>> = {
  status: { kind: "query", args: {}, fields: "ok message" },
  integrationReadiness: { kind: "query", args: {}, fields: "idpIdentityAvailable providers { provider available }" },
  connectSessionResult: {
    kind: "query",
    args: { ...SCOPE, id: "ID!" },
    fields: "id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt",
  },
  connection: { kind: "query", args: { ...SCOPE, id: "ID!" }, fields: CONNECTION },
  connections: {
    kind: "query",
    args: { ...SCOPE, first: "Int", after: "String" },
    fields: `items { ${CONNECTION} } pageInfo { endCursor hasNextPage }`,
  },
  content: {
    kind: "query",
    args: { ...SCOPE, connectionId: "ID!", window: "ContentWindow!" },
    fields: `lastSuccessfulSyncAt items { ${POST} } pageInfo { endCursor hasNextPage completeForWindow incompleteReason }`,
  },
  contentItem: {
    kind: "query",
    args: { ...SCOPE, connectionId: "ID!", providerContentId: "String!" },
    fields: POST,
  },
  syncJob: { kind: "query", args: { ...SCOPE, connectionId: "ID!", id: "ID!" }, fields: JOB },
  createConnectSession: { kind: "mutation", args: { input: "ConnectInput!" }, fields: ATTEMPT },
  disconnectConnection: {
    kind: "mutation",
    args: { ...SCOPE, connectionId: "ID!" },
    fields: "accepted connectionId upstreamRevocationPending revokeJobId eraseJobId creatorAction",
  },
  requestRefresh: {
    kind: "mutation",
    args: {
      ...SCOPE,
      connectionId: "ID!",
      providerContentId: "String",
      window: "SyncWindow",
      continuationCursor: "String",
    },
    fields: JOB,
  },
  requestContentLookup: { kind: "mutation", args: { ...SCOPE, connectionId: "ID!", url: "String!" }, fields: JOB },
  createIdpIdentitySession: {
    kind: "mutation",
    args: { input: "IdpIdentityInput!" },
    fields: `${ATTEMPT} resultProof`,
  },
  redeemIdpIdentityResult: {
    kind: "mutation",
    args: { id: "ID!", tenantKey: "String!", resultProof: "String!" },
    fields: "status issuer idpSub email emailVerified name pictureUrl",
  },
};

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** The document that asks for an operation, with a variable for each of its arguments. */
export function documentOf(name: OperationName): string {
  const { kind, args, fields } = OPERATIONS[name];
  const names = Object.entries(args);
  if (names.length === 0) return `${kind} { ${name} { ${fields} } }`;
  const declared = names.map(([arg, type]) => `$${arg}: ${type}`).join(", ");
  const passed = names.map(([arg]) => `${arg}: $${arg}`).join(", ");
  return `${kind}(${declared}) { ${name}(${passed}) { ${fields} } }`;
}

/** Calls one operation with arguments that need not fit: what they are is sent as it is. */
export async function invoke<Name extends OperationName>(
  api: ApiCaller,
  name: Name,
  args: unknown,
  options?: RequestOptions,
): Promise<Outcome<Operations[Name]["answer"]>> {
  const answer = await api.graphql(documentOf(name), args, options);
  return outcomeOf(answer, name);
}
