import type { Row } from "../harness/coverage.ts";
import { values } from "./rows.ts";

/** Part 4, queries and mutations. */
export const OPERATION_ROWS: readonly Row[] = values("S4", "operation:", [
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
]);
