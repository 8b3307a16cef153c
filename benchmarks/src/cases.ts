import type { Seeded } from "./seed.ts";

export interface Read {
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The URL of the hand-written version of the same read. */
  readonly path: string;
}

const CONTENT = `query($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) {
    items { id providerContentId kind canonicalUrl title publishedAt metrics { name value availability } }
    pageInfo { endCursor hasNextPage completeForWindow } } }`;

const CONTENT_ITEM = `query($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
  contentItem(scope: $scope, connectionId: $connectionId, providerContentId: $providerContentId) {
    id providerContentId kind canonicalUrl title publishedAt metrics { name value availability } } }`;

const CONNECTION_FIELDS = `id provider providerAccountId status syncStatus lastSuccessfulSyncAt
  capabilities { capability availability } profile { displayName handle observedAt }`;
const CONNECTION = `query($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { ${CONNECTION_FIELDS} } }`;
const CONNECTIONS = `query($scope: SubjectScope!) {
  connections(scope: $scope) { items { ${CONNECTION_FIELDS} } pageInfo { endCursor hasNextPage } } }`;

const SYNC_JOB = `query($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connectionId, id: $id) { id status errorCode completeForWindow incompleteReason } }`;

const CONNECT_RESULT = `query($scope: SubjectScope!, $id: ID!) {
  connectSessionResult(scope: $scope, id: $id) { id status resultCode connectionId expiresAt } }`;

/** What an application's backend asks most: pages of posts, what is linked, and what it polls. */
export function readsOf({ scope, connectionId, jobId, sessionId }: Seeded): Read[] {
  const now = Date.now();
  const window = {
    publishedAfter: new Date(now - 30 * 86_400_000).toISOString(),
    publishedBefore: new Date(now).toISOString(),
  };
  const content = (first: number): Read => ({
    name: `content, ${first} ${first === 1 ? "post" : "posts"}`,
    query: CONTENT,
    variables: { scope, connectionId, window: { ...window, first } },
    path: "/content",
  });
  const one = { scope, connectionId, providerContentId: "post-7" };
  return [
    content(50),
    content(1),
    { name: "contentItem", query: CONTENT_ITEM, variables: one, path: "/contentItem" },
    { name: "connection", query: CONNECTION, variables: { scope, id: connectionId }, path: "/connection" },
    { name: "connections, 20", query: CONNECTIONS, variables: { scope }, path: "/connections" },
    { name: "syncJob", query: SYNC_JOB, variables: { scope, connectionId, id: jobId }, path: "/job" },
    {
      name: "connectSessionResult",
      query: CONNECT_RESULT,
      variables: { scope, id: sessionId },
      path: "/session",
    },
  ];
}
