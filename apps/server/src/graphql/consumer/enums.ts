import * as descriptions from "../shared/enumDescriptions.ts";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", descriptions.SOCIAL_PROVIDER);
export const Capability = builder.enumType("Capability", descriptions.CAPABILITY);
export const Availability = builder.enumType("Availability", descriptions.AVAILABILITY);
export const MetricName = builder.enumType("MetricName", descriptions.METRIC_NAME);
export const ContentKind = builder.enumType("ContentKind", descriptions.CONTENT_KIND);
export const ConnectCreatorAction = builder.enumType("ConnectCreatorAction", descriptions.CONNECT_CREATOR_ACTION);
export const ConnectSessionStatus = builder.enumType("ConnectSessionStatus", descriptions.CONNECT_SESSION_STATUS);
export const ConnectionStatus = builder.enumType("ConnectionStatus", descriptions.CONNECTION_STATUS);
export const SyncStatus = builder.enumType("SyncStatus", descriptions.SYNC_STATUS);
export const JobStatus = builder.enumType("JobStatus", descriptions.JOB_STATUS);
export const IdpIdentityStatus = builder.enumType("IdpIdentityStatus", descriptions.IDP_IDENTITY_STATUS);
