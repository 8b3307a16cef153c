import { BRANDING_FIELDS, type Branding, CLIENT_LIMITS } from "@social-connect/domain";
import type { AdminClient, Capability, SocialProvider } from "../_generated/types.ts";
import type { CheckedDeclaration } from "../declaration/checkDeclaration.ts";
import { brandingOf, isSameBranding, isSameSet } from "../writes/clientChange.ts";
import { orderAddresses, originOf } from "./orderAddresses.ts";
import type { ChangeStep } from "./steps.ts";

export interface Steps {
  readonly steps: readonly ChangeStep[];
  readonly obstacles: readonly string[];
}

/**
 * The steps from a client to a declaration, in order: steps that end access first, steps that grant access last, and in
 * between so that each step satisfies the rules of the service.
 */
export function makeSteps(client: AdminClient, declared: CheckedDeclaration): Steps {
  const { ordered, left } = orderAddresses(client, addressSteps(client, declared));
  const enabled = enabledStep(client, declared);
  const previews = previewStep(client, declared);
  const steps = [
    ...enabled.filter((step) => step.destructive),
    ...previews.filter((step) => step.destructive),
    ...policyStep(client, declared),
    ...displayNameStep(client, declared),
    ...brandingStep(client, declared),
    ...ordered,
    ...listSteps(client.tenantKeys, declared.tenantKeys, CLIENT_LIMITS.tenantKeys, {
      add: (tenantKey) => ({ operation: "addClientTenantKey", tenantKey, destructive: false }),
      remove: (tenantKey) => ({ operation: "removeClientTenantKey", tenantKey, destructive: true }),
    }),
    ...listSteps(client.previewReturnPaths, declared.previewReturnPaths, CLIENT_LIMITS.previewReturnPaths, {
      add: (path) => ({ operation: "addClientPreviewReturnPath", path, destructive: false }),
      remove: (path) => ({ operation: "removeClientPreviewReturnPath", path, destructive: true }),
    }),
    ...previews.filter((step) => !step.destructive),
    ...enabled.filter((step) => !step.destructive),
  ];
  return { steps, obstacles: left.map((step) => obstacleOf(client, step)) };
}

function enabledStep(client: AdminClient, { enabled }: CheckedDeclaration): ChangeStep[] {
  if (enabled === undefined || enabled === client.enabled) return [];
  return [{ operation: "setClientEnabled", enabled, destructive: !enabled }];
}

function previewStep(client: AdminClient, { previewOriginsEnabled: enabled }: CheckedDeclaration): ChangeStep[] {
  if (enabled === undefined || enabled === client.previewOriginsEnabled) return [];
  return [{ operation: "setClientPreviewOrigins", enabled, destructive: !enabled }];
}

function displayNameStep(client: AdminClient, { displayName }: CheckedDeclaration): ChangeStep[] {
  if (displayName === undefined || displayName === client.displayName) return [];
  return [{ operation: "setClientDisplayName", displayName, before: client.displayName, destructive: false }];
}

function brandingStep(client: AdminClient, declared: CheckedDeclaration): ChangeStep[] {
  const before = brandingOf(client);
  const branding = { ...before, ...definedBranding(declared) };
  if (isSameBranding(before, branding)) return [];
  return [{ operation: "setClientBranding", branding, before, destructive: false }];
}

function definedBranding(declared: CheckedDeclaration): Partial<Branding> {
  const fields = BRANDING_FIELDS.filter((field) => declared[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, declared[field]]));
}

function policyStep(client: AdminClient, declared: CheckedDeclaration): ChangeStep[] {
  // Unknown values are passed on unchanged.
  const before = {
    providers: client.providers as readonly SocialProvider[],
    capabilities: client.capabilities as readonly Capability[],
  };
  const policy = {
    providers: declared.providers ?? before.providers,
    capabilities: declared.capabilities ?? before.capabilities,
  };
  const isSame = isSameSet(policy.providers, before.providers) && isSameSet(policy.capabilities, before.capabilities);
  if (isSame) return [];
  const destructive =
    missing(before.providers, policy.providers).length > 0 ||
    missing(before.capabilities, policy.capabilities).length > 0;
  return [{ operation: "setClientPolicy", policy, before, destructive }];
}

function addressSteps(client: AdminClient, declared: CheckedDeclaration): ChangeStep[] {
  const origins = listSteps(client.webOrigins, declared.webOrigins, Number.POSITIVE_INFINITY, {
    add: (origin) => ({ operation: "addClientOrigin", origin, destructive: false }),
    remove: (origin) => ({ operation: "removeClientOrigin", origin, destructive: true }),
  });
  const urls = listSteps(
    client.returnUrls,
    declared.returnUrls?.map(({ url }) => url),
    Number.POSITIVE_INFINITY,
    {
      // The confirmation was checked before.
      add: (url) => ({ operation: "addClientReturnUrl", url, confirmedNoOnwardRedirect: true, destructive: false }),
      remove: (url) => ({ operation: "removeClientReturnUrl", url, destructive: true }),
    },
  );
  return [...origins, ...urls];
}

/** From one list to another: additions first, unless the list would exceed its limit. */
function listSteps(
  present: readonly string[],
  wanted: readonly string[] | undefined,
  limit: number,
  make: { readonly add: (value: string) => ChangeStep; readonly remove: (value: string) => ChangeStep },
): ChangeStep[] {
  if (wanted === undefined) return [];
  const added = missing(wanted, present).map(make.add);
  const removed = missing(present, wanted).map(make.remove);
  return present.length + added.length > limit ? [...removed, ...added] : [...added, ...removed];
}

/** The entries of the first list that the second one does not contain. */
function missing(has: readonly string[], hasNot: readonly string[]): readonly string[] {
  const known = new Set(hasNot);
  return has.filter((value) => !known.has(value));
}

function obstacleOf(client: AdminClient, step: ChangeStep): string {
  if (step.operation === "removeClientOrigin") {
    const user = client.identityReturnUrls.find((url) => originOf(url) === step.origin);
    if (user !== undefined) {
      return `The origin ${step.origin} cannot be removed: the identity return URL ${user} uses it, and only an admin in the panel changes those.`;
    }
  }
  return `${step.operation} cannot be ordered so that every step satisfies the client's rules.`;
}
