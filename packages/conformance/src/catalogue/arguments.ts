import type { Row } from "../harness/coverage.ts";
import { rules } from "./rows.ts";

const BAD = "code:BAD_USER_INPUT";

/** Part 2, input types, and part 4, arguments: every rule that a caller can break. */
export const ARGUMENT_ROWS: readonly Row[] = [
  ...rules("S2", "rule:SubjectScope.", {
    "tenantKey.length": ["1 to 128 characters", BAD],
    "tenantKey.registered": ["a tenant registered for the application", "code:FORBIDDEN"],
    "externalSubjectId.length": ["1 to 128 characters", BAD],
  }),
  ...rules("S2", "rule:ConnectInput.", {
    "scope.registered": ["registered tenant", "code:FORBIDDEN"],
    "provider.allowed": ["allowed by the application's policy", "code:FORBIDDEN"],
    "capabilities.non-empty": ["non-empty", BAD],
    "capabilities.no-duplicates": ["no duplicates", BAD],
    "capabilities.allowed": ["each allowed by the application's policy", "code:FORBIDDEN"],
    "returnUrl.registered": ["equal to a registered return URL", BAD],
    "returnUrl.preview": ["or a preview URL, while previews are enabled", "operation:createConnectSession"],
    "returnUrl.fragment": ["no fragment", BAD],
    "returnUrl.ss-parameter": ["no query parameter whose name starts with ss_", BAD],
    "reconnectConnectionId.optional": ["optional", "operation:createConnectSession"],
    "reconnectConnectionId.scope-and-provider": ["a connection of this scope and provider", "code:NOT_FOUND"],
    "reconnectConnectionId.status": ["CONNECTED, SUSPENDED or RECONNECT_REQUIRED", "code:DISCONNECT_IN_PROGRESS"],
  }),
  ...rules("S2", "rule:IdpIdentityInput.", {
    "tenantKey.registered": ["registered for the application", "code:FORBIDDEN"],
    "returnUrl.registered": ["equal to a registered identity return URL", BAD],
  }),
  ...rules("S2", "rule:SyncWindow.", {
    span: ["publishedBefore at most 90 days after publishedAfter", BAD],
    order: ["an empty or reversed window is refused", BAD],
    "maxItems.range": ["1 to 100", BAD],
    "maxItems.listed": ["counts listed posts", "operation:requestRefresh"],
    "maxItems.default": ["100 when absent", "operation:requestRefresh"],
  }),
  ...rules("S2", "rule:ContentWindow.", {
    span: ["at most 90 days", BAD],
    order: ["publishedBefore after publishedAfter", BAD],
    "first.range": ["1 to 50", BAD],
    "after.same-window": ["the endCursor of the previous page, with the same window", BAD],
  }),
  ...rules("S2", "rule:scalar.", {
    "DateTime.input": ["ISO 8601 with an offset, a day that exists", BAD],
    "DateTime.output": ["UTC with milliseconds"],
    DecimalCount: ["non-negative integer as a string", "operation:content"],
    ID: ["an invalid id is NOT_FOUND or refused, never an internal error"],
  }),
  ...rules("S4", "rule:connections.", {
    "first.range": ["1 to 100", BAD],
    "first.default": ["20 when absent", "operation:connections"],
    after: ["the previous pageInfo.endCursor, opaque and bound to its query", BAD],
  }),
  ...rules("S4", "rule:requestRefresh.", {
    "providerContentId.alone": ["cannot be combined with a window or cursor", BAD],
    "providerContentId.capability": ["needs CONTENT_METRICS", "code:CAPABILITY_UNAVAILABLE"],
    "providerContentId.stored": ["a post that was never observed is NOT_FOUND", "code:NOT_FOUND"],
    "window.capability": ["a scan needs CONTENT_LIST", "code:CAPABILITY_UNAVAILABLE"],
    "continuationCursor.window": ["a window passed with it must equal the original window", BAD],
    "continuationCursor.altered": ["altered or foreign is refused", BAD],
    "same-in-flight": ["the same window or post in flight returns the same job", "operation:requestRefresh"],
    "busy-window": ["another window while a scan is in flight", "code:SYNC_WINDOW_BUSY"],
  }),
  ...rules("S4", "rule:requestContentLookup.", {
    capability: ["needs CONTENT_LOOKUP", "code:CAPABILITY_UNAVAILABLE"],
    "url.https": ["HTTPS", BAD],
    "url.credentials": ["no credentials", BAD],
    "url.port": ["no port", BAD],
    "url.fragment": ["no fragment", BAD],
    "url.provider": ["a form of the connection's provider", BAD],
    "url.never-fetched": ["the URL is parsed and never fetched"],
  }),
  ...rules("S4", "rule:", {
    "content.capability": ["needs CONTENT_LIST", "code:CAPABILITY_UNAVAILABLE"],
    "contentItem.capability": ["needs CONTENT_LIST or CONTENT_LOOKUP", "code:CAPABILITY_UNAVAILABLE"],
    "contentItem.never-observed": ["null when the post was never observed", "operation:contentItem"],
    "gone-post": ["a read of a stored post that was deleted fails and marks the post", "errorCode:CONTENT_NOT_FOUND"],
    "redeem.wrong-proof": ["a wrong proof is NOT_FOUND and consumes nothing", "code:NOT_FOUND"],
    "redeem.second": ["a second redeem is NOT_FOUND", "code:NOT_FOUND"],
    "text.characters": ["NUL and lone surrogates are refused in every string", BAD],
    "text.types": ["values of another type are refused", BAD],
  }),
];
