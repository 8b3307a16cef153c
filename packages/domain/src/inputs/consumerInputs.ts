import type { Capability, ConsumerOperationName } from "@social-connect/contract";
import { checkSubjectScope, checkTenantKey, type SubjectScope } from "../applications/scope.ts";
import { checkLookupUrl } from "../content/lookupUrl.ts";
import {
  type ContentWindowInput,
  checkConnectionsPage,
  checkContentWindow,
  checkSyncWindow,
  type SyncWindowInput,
} from "../content/window.ts";
import { INVALID_CONTENT_ID } from "../decisions/commonRefusals.ts";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { checkRefreshArguments } from "../jobs/refresh.ts";
import { isStorableText } from "../text/text.ts";

export interface InScope {
  readonly scope: SubjectScope;
}

const inScope = ({ scope }: InScope) => checkSubjectScope(scope);
const ofTenant = ({ tenantKey }: { readonly tenantKey: string }) => checkTenantKey(tenantKey);

/** Source: service description, parts 2, 4 and 8. */
export const CONSUMER_INPUTS = {
  connectSessionResult: inScope,
  connection: inScope,
  connections: ({ scope, first }: InScope & { readonly first?: number | null | undefined }) =>
    checkSubjectScope(scope) ?? checkConnectionsPage(first),
  content: ({ scope, window }: InScope & { readonly window: ContentWindowInput }) =>
    checkSubjectScope(scope) ?? checkContentWindow(window),
  contentItem: ({ scope, providerContentId }: InScope & { readonly providerContentId: string }) =>
    checkSubjectScope(scope) ?? checkContentId(providerContentId),
  syncJob: inScope,
  createConnectSession: ({ input }: { readonly input: InScope & { readonly capabilities: readonly Capability[] } }) =>
    checkSubjectScope(input.scope) ?? checkCapabilities(input.capabilities),
  disconnectConnection: inScope,
  requestRefresh: (args: InScope & RefreshArguments) =>
    checkSubjectScope(args.scope) ??
    (args.window == null ? null : checkSyncWindow(args.window)) ??
    checkRefreshArguments(args) ??
    (args.providerContentId == null ? null : checkContentId(args.providerContentId)),
  requestContentLookup: ({ scope, url }: InScope & { readonly url: string }) =>
    checkSubjectScope(scope) ?? checkLookupUrl(url),
  createIdpIdentitySession: ({ input }: { readonly input: { readonly tenantKey: string } }) => ofTenant(input),
  redeemIdpIdentityResult: ofTenant,
} as const satisfies Partial<Record<ConsumerOperationName, (args: never) => Refusal | null>>;

export interface RefreshArguments {
  readonly providerContentId?: string | null | undefined;
  readonly window?: SyncWindowInput | null | undefined;
  readonly continuationCursor?: string | null | undefined;
}

function checkContentId(providerContentId: string): Refusal | null {
  return isStorableText(providerContentId) ? null : INVALID_CONTENT_ID;
}

function checkCapabilities(capabilities: readonly Capability[]): Refusal | null {
  if (capabilities.length === 0) return badUserInput("`capabilities` must contain at least one capability.");
  if (new Set(capabilities).size < capabilities.length)
    return badUserInput("`capabilities` must not contain duplicates.");
  return null;
}
