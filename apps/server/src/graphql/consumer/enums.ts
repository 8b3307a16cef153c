import {
  AVAILABILITIES,
  CAPABILITIES,
  CONNECT_CREATOR_ACTIONS,
  CONNECT_SESSION_STATUSES,
  CONNECTION_STATUSES,
  CONTENT_KINDS,
  IDP_IDENTITY_STATUSES,
  JOB_STATUSES,
  METRIC_NAMES,
  SOCIAL_PROVIDERS,
  SYNC_STATUSES,
} from "@social-connect/contract";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", { values: SOCIAL_PROVIDERS });
export const Capability = builder.enumType("Capability", { values: CAPABILITIES });
export const Availability = builder.enumType("Availability", { values: AVAILABILITIES });
export const MetricName = builder.enumType("MetricName", { values: METRIC_NAMES });
export const ContentKind = builder.enumType("ContentKind", { values: CONTENT_KINDS });
export const ConnectCreatorAction = builder.enumType("ConnectCreatorAction", { values: CONNECT_CREATOR_ACTIONS });
export const ConnectSessionStatus = builder.enumType("ConnectSessionStatus", { values: CONNECT_SESSION_STATUSES });
export const ConnectionStatus = builder.enumType("ConnectionStatus", { values: CONNECTION_STATUSES });
export const SyncStatus = builder.enumType("SyncStatus", { values: SYNC_STATUSES });
export const JobStatus = builder.enumType("JobStatus", { values: JOB_STATUSES });
export const IdpIdentityStatus = builder.enumType("IdpIdentityStatus", { values: IDP_IDENTITY_STATUSES });
