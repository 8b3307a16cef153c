import type { Seeded } from "./seed.ts";

type Variables = Readonly<Record<string, unknown>>;

export interface Read {
  readonly name: string;
  readonly query: string;
  readonly variables: Variables;
  /** The same data from the schema that PostGraphile derives from the tables. */
  readonly postgraphile: { readonly query: string; readonly variables: Variables };
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
  more = "",
) => `query($tenantKey: String!, $subject: String!, $id: UUID!${more}) {
  allConnections(first: 1, condition: { rowId: $id, tenantKey: $tenantKey, externalSubjectId: $subject }) {
    nodes { ${selection} } } }`;

/** What an application's backend requests most: pages of posts, what is linked, and what it polls. */
export function readsOf({ scope, connectionId, jobId, sessionId }: Omit<Seeded, "key">): Read[] {
  const now = Date.now();
  const window = {
    publishedAfter: new Date(now - 30 * 86_400_000).toISOString(),
    publishedBefore: new Date(now).toISOString(),
  };
  const subject = { tenantKey: scope.tenantKey, subject: scope.externalSubjectId };
  const rows = { ...subject, id: connectionId };
  const read = (
    name: string,
    query: string,
    of: Variables,
    [rowsQuery, variables]: readonly [string, Variables],
  ): Read => ({
    name,
    query,
    variables: { scope, ...of },
    postgraphile: { query: rowsQuery, variables },
  });
  const content = (first: number) =>
    read(
      `content, ${first} ${first === 1 ? "post" : "posts"}`,
      CONTENT,
      { connectionId, window: { ...window, first } },
      [
        ROWS_OF_CONNECTION(
          `contentItemsByConnectionIdAndApplicationId(first: $first, orderBy: PUBLISHED_AT_DESC) { nodes { ${ROW_POST} } pageInfo { endCursor hasNextPage } }`,
          ", $first: Int",
        ),
        { ...rows, first },
      ],
    );
  return [
    content(50),
    content(1),
    read("contentItem", CONTENT_ITEM, { connectionId, providerContentId: "post-7" }, [
      ROWS_OF_CONNECTION(
        `contentItemsByConnectionIdAndApplicationId(first: 1, condition: { providerContentId: "post-7" }) { nodes { ${ROW_POST} } }`,
      ),
      rows,
    ]),
    read("connection", CONNECTION, { id: connectionId }, [ROWS_OF_CONNECTION(ROW_CONNECTION), rows]),
    read("connections, 20", CONNECTIONS, {}, [
      `query($tenantKey: String!, $subject: String!) {
          allConnections(first: 20, orderBy: CREATED_AT_ASC, condition: { tenantKey: $tenantKey, externalSubjectId: $subject }) {
            nodes { ${ROW_CONNECTION} } pageInfo { endCursor hasNextPage } } }`,
      subject,
    ]),
    read("syncJob", SYNC_JOB, { connectionId, id: jobId }, [
      `query($id: UUID!, $connectionId: UUID!) {
          allJobs(first: 1, condition: { rowId: $id, connectionId: $connectionId }) {
            nodes { rowId status errorCode completeForWindow incompleteReason } } }`,
      { id: jobId, connectionId },
    ]),
    read("connectSessionResult", CONNECT_RESULT, { id: sessionId }, [
      `query($id: UUID!, $tenantKey: String!, $subject: String!) {
          allConnectAttempts(first: 1, condition: { rowId: $id, tenantKey: $tenantKey, externalSubjectId: $subject }) {
            nodes { rowId status resultCode connectionId expiresAt } } }`,
      { ...subject, id: sessionId },
    ]),
  ];
}
