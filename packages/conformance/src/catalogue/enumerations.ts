import type { Row } from "../harness/coverage.ts";
import { values } from "./rows.ts";

/** Part 2, enumerations, value by value; each has to be in an answer. */
export const ENUMERATION_ROWS: readonly Row[] = Object.entries({
  SocialProvider: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"],
  Capability: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
  Availability: ["AVAILABLE", "UNSUPPORTED", "NOT_GRANTED", "UNAVAILABLE"],
  MetricName: ["VIEWS", "LIKES", "COMMENTS", "SHARES"],
  ContentKind: ["VIDEO", "IMAGE", "CAROUSEL", "UNKNOWN"],
  ConnectCreatorAction: ["REMOVE_APP_AT_PROVIDER"],
  ConnectSessionStatus: [
    "CREATED",
    "AUTHORIZING",
    "EXCHANGING",
    "COMPLETED",
    "DENIED",
    "FAILED",
    "EXPIRED",
    "CANCELED",
  ],
  ConnectionStatus: ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED", "DISCONNECTED", "DELETING"],
  SyncStatus: ["PENDING", "RUNNING", "READY", "PARTIAL", "STALE", "FAILED"],
  JobStatus: ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"],
  IdpIdentityStatus: ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"],
}).flatMap(([name, members]) => values("S2", `enum:${name}.`, members));
