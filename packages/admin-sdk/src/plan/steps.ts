import type { AdminClient } from "../_generated/types.ts";
import type { ClientWrite } from "../writes/clientWrites.ts";
import * as writes from "../writes/clientWrites.ts";
import { isSameSet } from "../writes/clientWrites.ts";
import type { PlanStep } from "./plan.ts";

export type ChangeStep = Exclude<PlanStep, { readonly operation: "createClient" }>;
export type CreateStep = Extract<PlanStep, { readonly operation: "createClient" }>;

/** The write of a step. */
export function writeOf(id: string, step: ChangeStep): ClientWrite {
  switch (step.operation) {
    case "setClientEnabled":
      return writes.setEnabled(id, step.enabled);
    case "setClientDisplayName":
      return writes.setDisplayName(id, step.displayName);
    case "setClientPolicy":
      return writes.setPolicy(id, step.policy);
    case "addClientTenantKey":
      return writes.addTenantKey(id, step.tenantKey);
    case "removeClientTenantKey":
      return writes.removeTenantKey(id, step.tenantKey);
    case "addClientOrigin":
      return writes.addOrigin(id, step.origin);
    case "removeClientOrigin":
      return writes.removeOrigin(id, step.origin);
    case "addClientReturnUrl":
      return writes.addReturnUrl(id, step.url, step);
    case "removeClientReturnUrl":
      return writes.removeReturnUrl(id, step.url);
    case "setClientPreviewOrigins":
      return writes.setPreviewOrigins(id, step.enabled);
    case "addClientPreviewReturnPath":
      return writes.addPreviewReturnPath(id, step.path);
    case "removeClientPreviewReturnPath":
      return writes.removePreviewReturnPath(id, step.path);
  }
}

/** The client after a step, without concurrent changes. */
export function afterStep(client: AdminClient, step: ChangeStep): AdminClient {
  switch (step.operation) {
    case "setClientEnabled":
      return { ...client, enabled: step.enabled };
    case "setClientDisplayName":
      return { ...client, displayName: step.displayName };
    case "setClientPolicy":
      return { ...client, ...step.policy };
    case "addClientTenantKey":
      return { ...client, tenantKeys: [...client.tenantKeys, step.tenantKey] };
    case "removeClientTenantKey":
      return { ...client, tenantKeys: without(client.tenantKeys, step.tenantKey) };
    case "addClientOrigin":
      return { ...client, webOrigins: [...client.webOrigins, step.origin] };
    case "removeClientOrigin":
      return { ...client, webOrigins: without(client.webOrigins, step.origin) };
    case "addClientReturnUrl":
      return { ...client, returnUrls: [...client.returnUrls, step.url] };
    case "removeClientReturnUrl":
      return { ...client, returnUrls: without(client.returnUrls, step.url) };
    case "setClientPreviewOrigins":
      return { ...client, previewOriginsEnabled: step.enabled };
    case "addClientPreviewReturnPath":
      return { ...client, previewReturnPaths: [...client.previewReturnPaths, step.path] };
    case "removeClientPreviewReturnPath":
      return { ...client, previewReturnPaths: without(client.previewReturnPaths, step.path) };
  }
}

/** A client right after its creation, except for the values that the service chooses. */
export function createdBy({ input }: CreateStep): AdminClient {
  const { confirmedNoOnwardRedirect: _, ...declared } = input;
  return {
    ...declared,
    id: "",
    enabled: true,
    identityReturnUrls: [],
    idpIdentityEnabled: false,
    previewOriginsEnabled: false,
    previewReturnPaths: [],
    createdAt: "",
    updatedAt: "",
  };
}

/** Whether two records describe the same client state. Times are ignored, and lists are compared as sets. */
export function isSameClient(left: AdminClient, right: AdminClient): boolean {
  return (
    left.slug === right.slug &&
    left.displayName === right.displayName &&
    left.enabled === right.enabled &&
    left.previewOriginsEnabled === right.previewOriginsEnabled &&
    left.idpIdentityEnabled === right.idpIdentityEnabled &&
    LISTS.every((list) => isSameSet(left[list], right[list]))
  );
}

const LISTS = [
  "webOrigins",
  "returnUrls",
  "identityReturnUrls",
  "tenantKeys",
  "providers",
  "capabilities",
  "previewReturnPaths",
] as const;

function without(list: readonly string[], gone: string): readonly string[] {
  return list.filter((entry) => entry !== gone);
}
