import type { Case } from "../harness/defineCase.ts";
import { ADMIN_AUDIT_SUMMARY_CASES } from "./admin/audit.summaries.ts";
import { ADMIN_AUDIT_CASES } from "./admin/audit.ts";
import { CLASS_CASES } from "./admin/classes.ts";
import { ADMIN_CLIENT_LIST_CASES } from "./admin/clients.lists.ts";
import { ADMIN_ORIGIN_CASES } from "./admin/clients.origins.ts";
import { ADMIN_RETURN_URL_CASES } from "./admin/clients.returnUrls.ts";
import { ADMIN_CLIENT_CASES } from "./admin/clients.ts";
import { ADMIN_CREDENTIAL_CASES } from "./admin/credentials.ts";
import { ADMIN_DOCUMENT_CASES } from "./admin/documents.ts";
import { ADMIN_EFFECT_CASES } from "./admin/effects.ts";
import { ADMIN_KEY_LIMIT_CASES } from "./admin/keys.limits.ts";
import { ADMIN_KEY_SHAPE_CASES } from "./admin/keys.shape.ts";
import { ADMIN_KEY_CASES } from "./admin/keys.ts";
import { MEMBER_CASES } from "./admin/members.ts";
import { PANEL_CASES } from "./admin/panel.ts";
import { ADMIN_REGISTRATION_CASES } from "./admin/registrations.ts";
import { ADMIN_TRANSPORT_CASES } from "./admin/transport.ts";
import { AUTHENTICATION_CASES } from "./authentication.ts";
import { BAD_SCALAR_CASES } from "./badInput.scalars.ts";
import { BAD_INPUT_CASES } from "./badInput.ts";
import { CALLBACK_CASES } from "./connect.callback.ts";
import { CONNECT_DEADLINE_CASES } from "./connect.deadlines.ts";
import { CONNECT_INPUT_CASES } from "./connect.input.ts";
import { LAUNCH_CASES } from "./connect.launch.ts";
import { LAUNCH_TOKEN_CASES } from "./connect.launchToken.ts";
import { OUTCOME_CASES } from "./connect.outcomes.ts";
import { OVERDUE_ATTEMPT_CASES } from "./connect.overdue.ts";
import { RECONNECT_CASES } from "./connect.reconnect.ts";
import { REMOVED_RETURN_URL_CASES } from "./connect.returnUrl.ts";
import { REVOCATION_CASES } from "./connect.revocations.ts";
import { UNFINISHED_CASES } from "./connect.unfinished.ts";
import { CONNECTION_CAPABILITY_CASES } from "./connections.capabilities.ts";
import { CONNECTION_PAGING_CASES } from "./connections.paging.ts";
import { RECHECK_CASES } from "./connections.recheck.ts";
import { CONNECTION_CASES } from "./connections.ts";
import { CONTENT_COMPLETENESS_CASES } from "./content.completeness.ts";
import { CONTENT_ITEM_CASES } from "./content.items.ts";
import { METRIC_CASES } from "./content.metrics.ts";
import { CONTENT_CASES } from "./content.ts";
import { DISCONNECT_ACCESS_CASES } from "./disconnect.access.ts";
import { DISCONNECT_RECEIPT_CASES } from "./disconnect.receipts.ts";
import { SIBLING_RECHECK_CASES } from "./disconnect.recheck.ts";
import { DISCONNECT_SIBLING_CASES } from "./disconnect.siblings.ts";
import { IDENTITY_DEADLINE_CASES } from "./identity.deadlines.ts";
import { IDENTITY_RESULT_CASES } from "./identity.results.ts";
import { IDENTITY_SESSION_CASES } from "./identity.sessions.ts";
import { CONTINUATION_CASES } from "./jobs.continuation.ts";
import { JOB_ENDING_CASES } from "./jobs.outcomes.ts";
import { REFRESH_CASES } from "./jobs.refresh.ts";
import { JOB_CASES } from "./jobs.ts";
import { LOOKUP_CASES } from "./lookups.ts";
import { READINESS_CASES } from "./readiness.ts";
import { CONTENT_RETENTION_CASES } from "./retention.content.ts";
import { JOB_RETENTION_CASES } from "./retention.jobs.ts";
import { SCOPE_CASES } from "./scopes.ts";
import { DOCUMENT_CASES } from "./transport.documents.ts";
import { DOCUMENT_LIMIT_CASES } from "./transport.limits.ts";
import { TRANSPORT_CASES } from "./transport.ts";

export const CASES: readonly Case[] = [
  ...TRANSPORT_CASES,
  ...DOCUMENT_CASES,
  ...DOCUMENT_LIMIT_CASES,
  ...AUTHENTICATION_CASES,
  ...READINESS_CASES,
  ...SCOPE_CASES,
  ...BAD_INPUT_CASES,
  ...BAD_SCALAR_CASES,
  ...CONNECT_INPUT_CASES,
  ...LAUNCH_CASES,
  ...LAUNCH_TOKEN_CASES,
  ...CALLBACK_CASES,
  ...OUTCOME_CASES,
  ...RECONNECT_CASES,
  ...UNFINISHED_CASES,
  ...CONNECT_DEADLINE_CASES,
  ...OVERDUE_ATTEMPT_CASES,
  ...CONNECTION_CASES,
  ...RECHECK_CASES,
  ...CONNECTION_CAPABILITY_CASES,
  ...CONNECTION_PAGING_CASES,
  ...CONTENT_CASES,
  ...CONTENT_ITEM_CASES,
  ...CONTENT_COMPLETENESS_CASES,
  ...METRIC_CASES,
  ...CONTENT_RETENTION_CASES,
  ...JOB_CASES,
  ...REFRESH_CASES,
  ...CONTINUATION_CASES,
  ...JOB_ENDING_CASES,
  ...JOB_RETENTION_CASES,
  ...LOOKUP_CASES,
  ...DISCONNECT_ACCESS_CASES,
  ...DISCONNECT_RECEIPT_CASES,
  ...REMOVED_RETURN_URL_CASES,
  ...REVOCATION_CASES,
  ...DISCONNECT_SIBLING_CASES,
  ...SIBLING_RECHECK_CASES,
  ...IDENTITY_SESSION_CASES,
  ...IDENTITY_RESULT_CASES,
  ...IDENTITY_DEADLINE_CASES,
  ...CLASS_CASES,
  ...ADMIN_TRANSPORT_CASES,
  ...ADMIN_DOCUMENT_CASES,
  ...ADMIN_CLIENT_CASES,
  ...ADMIN_ORIGIN_CASES,
  ...ADMIN_RETURN_URL_CASES,
  ...ADMIN_CLIENT_LIST_CASES,
  ...ADMIN_EFFECT_CASES,
  ...ADMIN_CREDENTIAL_CASES,
  ...ADMIN_REGISTRATION_CASES,
  ...ADMIN_AUDIT_CASES,
  ...ADMIN_AUDIT_SUMMARY_CASES,
  ...PANEL_CASES,
  ...ADMIN_KEY_SHAPE_CASES,
  ...ADMIN_KEY_CASES,
  ...ADMIN_KEY_LIMIT_CASES,
  ...MEMBER_CASES,
];
