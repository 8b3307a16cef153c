import * as texts from "../shared/enumTexts.ts";
import { builder } from "./builder.ts";

export const SocialProvider = builder.enumType("SocialProvider", texts.SOCIAL_PROVIDER);
export const Capability = builder.enumType("Capability", texts.CAPABILITY);
export const Availability = builder.enumType("Availability", texts.AVAILABILITY);
export const MetricName = builder.enumType("MetricName", texts.METRIC_NAME);
export const ContentKind = builder.enumType("ContentKind", texts.CONTENT_KIND);
export const ConnectCreatorAction = builder.enumType("ConnectCreatorAction", texts.CONNECT_CREATOR_ACTION);
export const ConnectSessionStatus = builder.enumType("ConnectSessionStatus", texts.CONNECT_SESSION_STATUS);
export const ConnectionStatus = builder.enumType("ConnectionStatus", texts.CONNECTION_STATUS);
export const SyncStatus = builder.enumType("SyncStatus", texts.SYNC_STATUS);
export const JobStatus = builder.enumType("JobStatus", texts.JOB_STATUS);
export const IdpIdentityStatus = builder.enumType("IdpIdentityStatus", texts.IDP_IDENTITY_STATUS);
