import type { Seeded } from "./seed.ts";

export interface Read {
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The same data from the schema that PostGraphile derives from the tables. */
  readonly postgraphile: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
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

// PostGraphile checks no key. The scope is a condition; the window is not, because it has no range filters.
const ROW_POST = "rowId providerContentId kind canonicalUrl title publishedAt metrics";
const ROW_CONNECTION =
  "rowId provider providerAccountId status syncStatus lastSuccessfulSyncAt capabilities displayName handle profileObservedAt";
const ROWS_OF_CONNECTION = (
  selection: string,
) => `query($tenantKey: String!, $subject: String!, $id: UUID!, $first: Int) {
  allConnections(first: 1, condition: { rowId: $id, tenantKey: $tenantKey, externalSubjectId: $subject }) {
    nodes { ${selection} } } }`;

/** What an application's backend requests most: pages of posts, what is linked, and what it polls. */
export function readsOf({ scope, connectionId, jobId, sessionId }: Omit<Seeded, "key">): Read[] {
  const now = Date.now();
  const window = {
    publishedAfter: new Date(now - 30 * 86_400_000).toISOString(),
    publishedBefore: new Date(now).toISOString(),
  };
  const rows = { tenantKey: scope.tenantKey, subject: scope.externalSubjectId, id: connectionId };
  const content = (first: number): Read => ({
    name: `content, ${first} ${first === 1 ? "post" : "posts"}`,
    query: CONTENT,
    variables: { scope, connectionId, window: { ...window, first } },
    postgraphile: {
      query: ROWS_OF_CONNECTION(
        `contentItemsByConnectionIdAndApplicationId(first: $first, orderBy: PUBLISHED_AT_DESC) { nodes { ${ROW_POST} } pageInfo { endCursor hasNextPage } }`,
      ),
      variables: { ...rows, first },
    },
  });
  return [
    content(50),
    content(1),
    {
      name: "contentItem",
      query: CONTENT_ITEM,
      variables: { scope, connectionId, providerContentId: "post-7" },
      postgraphile: {
        query: ROWS_OF_CONNECTION(
          `contentItemsByConnectionIdAndApplicationId(first: 1, condition: { providerContentId: "post-7" }) { nodes { ${ROW_POST} } }`,
        ).replace(", $first: Int", ""),
        variables: rows,
      },
    },
    {
      name: "connection",
      query: CONNECTION,
      variables: { scope, id: connectionId },
      postgraphile: { query: ROWS_OF_CONNECTION(ROW_CONNECTION).replace(", $first: Int", ""), variables: rows },
    },
    {
      name: "connections, 20",
      query: CONNECTIONS,
      variables: { scope },
      postgraphile: {
        query: `query($tenantKey: String!, $subject: String!) {
          allConnections(first: 20, orderBy: CREATED_AT_ASC, condition: { tenantKey: $tenantKey, externalSubjectId: $subject }) {
            nodes { ${ROW_CONNECTION} } pageInfo { endCursor hasNextPage } } }`,
        variables: { tenantKey: rows.tenantKey, subject: rows.subject },
      },
    },
    {
      name: "syncJob",
      query: SYNC_JOB,
      variables: { scope, connectionId, id: jobId },
      postgraphile: {
        query: `query($id: UUID!, $connectionId: UUID!) {
          allJobs(first: 1, condition: { rowId: $id, connectionId: $connectionId }) {
            nodes { rowId status errorCode completeForWindow incompleteReason } } }`,
        variables: { id: jobId, connectionId },
      },
    },
    {
      name: "connectSessionResult",
      query: CONNECT_RESULT,
      variables: { scope, id: sessionId },
      postgraphile: {
        query: `query($id: UUID!, $tenantKey: String!, $subject: String!) {
          allConnectAttempts(first: 1, condition: { rowId: $id, tenantKey: $tenantKey, externalSubjectId: $subject }) {
            nodes { rowId status resultCode connectionId expiresAt } } }`,
        variables: { ...rows, id: sessionId },
      },
    },
  ];
}
