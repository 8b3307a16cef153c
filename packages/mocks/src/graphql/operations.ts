import type { AdminOperationName } from "./adminOperations.ts";

/** Operations of the consumer API, as the published schema has them. Source: service description, part 4. */
export const OPERATIONS = [
  "status",
  "integrationReadiness",
  "connectSessionResult",
  "connection",
  "connections",
  "content",
  "contentItem",
  "syncJob",
  "createConnectSession",
  "disconnectConnection",
  "requestRefresh",
  "requestContentLookup",
  "createIdpIdentitySession",
  "redeemIdpIdentityResult",
] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** Name of an operation of either API that a key can call, e.g. `connections` or `setClientEnabled`. */
export type MockOperation = OperationName | AdminOperationName;
