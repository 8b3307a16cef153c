/** The documents that the journeys and the checks send. */
export const CREATE_SESSION = `mutation ($input: ConnectInput!) {
  createConnectSession(input: $input) { id launchUrl launchToken }
}`;
export const SESSION_RESULT = `query ($scope: SubjectScope!, $id: ID!) {
  connectSessionResult(scope: $scope, id: $id) { id status resultCode connectionId creatorAction }
}`;
export const REFRESH = `mutation ($scope: SubjectScope!, $connectionId: ID!, $window: SyncWindow, $providerContentId: String) {
  requestRefresh(scope: $scope, connectionId: $connectionId, window: $window, providerContentId: $providerContentId) { id status }
}`;
export const LOOKUP = `mutation ($scope: SubjectScope!, $connectionId: ID!, $url: String!) {
  requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) { id status }
}`;
export const DISCONNECT = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
  disconnectConnection(scope: $scope, connectionId: $connectionId) { accepted connectionId revokeJobId eraseJobId }
}`;
export const JOB = `query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connectionId, id: $id) { id status errorCode creatorAction nextRetryAt }
}`;
export const CONNECTION = `query ($scope: SubjectScope!, $id: ID!) {
  connection(scope: $scope, id: $id) { id status }
}`;
export const CONTENT = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { id } }
}`;
export const ADD_TENANT_KEY = `mutation ($id: ID!, $tenantKey: String!) {
  addClientTenantKey(id: $id, tenantKey: $tenantKey) { id }
}`;
export const CREATE_IDENTITY_SESSION = `mutation ($input: IdpIdentityInput!) {
  createIdpIdentitySession(input: $input) { id launchUrl launchToken resultProof }
}`;
export const REDEEM_IDENTITY = `mutation ($id: ID!, $tenantKey: String!, $resultProof: String!) {
  redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $resultProof) { status }
}`;
