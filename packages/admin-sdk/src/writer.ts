import type { CallOptions } from "@social-connect/sdk-core";
import type { CreateClientInput } from "./_generated/types.ts";
import type { ApplyOptions, ApplyResult } from "./plan/applyPlan.ts";
import type { ClientPlan } from "./plan/plan.ts";
import { AdminReader } from "./reader.ts";
import type { Settings } from "./wire/settings.ts";
import {
  brandingOf,
  type ClientBrandingOptions,
  type ClientChange,
  type ClientPolicy,
  type ReturnUrlConfirmation,
} from "./writes/clientChange.ts";
import { requireConfirmation } from "./writes/confirmation.ts";
import { createClient } from "./writes/createClient.ts";
import type { WriteResult } from "./writes/outcome.ts";
import { changeClient } from "./writes/write.ts";

/**
 * The operations for keys of scope WRITE. Created by `createAdmin`.
 *
 * Each write reads the client first, sends the change once, and returns its outcome: see `WriteResult`. Rejections are
 * thrown; a busy row is retried once; a write with an unknown outcome is never retried.
 */
export class AdminWriter extends AdminReader {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    super(settings);
    this.#settings = settings;
  }

  /** Registers a client. It starts enabled, and without an application key, which an admin issues in the panel. */
  createClient(input: CreateClientInput, options?: CallOptions): Promise<WriteResult> {
    return createClient(this.#settings, input, options);
  }

  /**
   * Enables or disables a client. The keys of a disabled client are refused and its pending attempts are canceled
   * immediately.
   */
  setClientEnabled(id: string, enabled: boolean, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "setClientEnabled", enabled }, options);
  }

  /** Sets the client's display name. */
  setClientDisplayName(id: string, displayName: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "setClientDisplayName", displayName }, options);
  }

  /** Replaces the client's logo, color and links on pages of the service. Omitted and null fields are removed. */
  setClientBranding(id: string, branding: ClientBrandingOptions, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "setClientBranding", ...brandingOf(branding) }, options);
  }

  /** Sets the providers and capabilities that the client may use, effective from the next read. */
  setClientPolicy(id: string, policy: ClientPolicy, options?: CallOptions): Promise<WriteResult> {
    const { providers, capabilities } = policy;
    return this.#change(id, { operation: "setClientPolicy", providers, capabilities }, options);
  }

  /** Adds a tenant key of 1 to 128 characters. */
  addClientTenantKey(id: string, tenantKey: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "addClientTenantKey", tenantKey }, options);
  }

  /** Removes a tenant key. Data of the tenant is retained, but reads of it are FORBIDDEN. */
  removeClientTenantKey(id: string, tenantKey: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "removeClientTenantKey", tenantKey }, options);
  }

  /** Adds an exact origin, in the form of a browser's Origin header. */
  addClientOrigin(id: string, origin: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "addClientOrigin", origin }, options);
  }

  /** CONFLICT with LAST_ORIGIN for the last origin, or with ORIGIN_IN_USE while a return URL uses it. */
  removeClientOrigin(id: string, origin: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "removeClientOrigin", origin }, options);
  }

  /** Adds a return URL on one of the client's origins. Requires the literal `true` as confirmation. */
  async addClientReturnUrl(
    id: string,
    url: string,
    confirmation: ReturnUrlConfirmation,
    options?: CallOptions,
  ): Promise<WriteResult> {
    requireConfirmation(confirmation, "addClientReturnUrl");
    const { confirmedNoOnwardRedirect } = confirmation;
    return this.#change(id, { operation: "addClientReturnUrl", url, confirmedNoOnwardRedirect }, options);
  }

  /** CONFLICT with LAST_RETURN_URL for the last return URL. */
  removeClientReturnUrl(id: string, url: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "removeClientReturnUrl", url }, options);
  }

  /** Sets whether origins that match the deployment's preview template are allowed. */
  setClientPreviewOrigins(id: string, enabled: boolean, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "setClientPreviewOrigins", enabled }, options);
  }

  /** Adds a path that is a return URL on every preview origin. */
  addClientPreviewReturnPath(id: string, path: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "addClientPreviewReturnPath", path }, options);
  }

  /** Removes a return path of preview origins. New attempts cannot use it. */
  removeClientPreviewReturnPath(id: string, path: string, options?: CallOptions): Promise<WriteResult> {
    return this.#change(id, { operation: "removeClientPreviewReturnPath", path }, options);
  }

  /**
   * Applies the steps of a plan in order and reports each outcome. It reads the client first: if the client differs
   * from the planned state, it changes nothing and throws StalePlanError, unless the whole plan is already applied. It
   * stops at the first step that is refused or has an unknown outcome; plan again to continue.
   */
  async apply(plan: ClientPlan, options?: ApplyOptions): Promise<ApplyResult> {
    const { applyPlan } = await import("./plan/applyPlan.ts");
    return applyPlan(this.#settings, plan, options);
  }

  #change(id: string, change: ClientChange, options?: CallOptions): Promise<WriteResult> {
    return changeClient(this.#settings, id, change, options);
  }
}
