/** Every operation of the consumer API, by its name in the schema. */
export type OperationName =
  | "status"
  | "integrationReadiness"
  | "createConnectSession"
  | "connectSessionResult"
  | "connection"
  | "connections"
  | "content"
  | "contentItem"
  | "requestRefresh"
  | "requestContentLookup"
  | "syncJob"
  | "disconnectConnection"
  | "createIdpIdentitySession"
  | "redeemIdpIdentityResult";
