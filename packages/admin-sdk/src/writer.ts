import type { CallOptions } from "@social-connect/sdk-core";
import type { CreateClientInput } from "./_generated/types.ts";
import type { ApplyOptions, ApplyResult } from "./plan/applyPlan.ts";
import { applyPlan } from "./plan/applyPlan.ts";
import type { ClientPlan } from "./plan/plan.ts";
import { AdminReader } from "./reader.ts";
import type { Settings } from "./wire/settings.ts";
import type { ClientPolicy, ReturnUrlConfirmation } from "./writes/clientWrites.ts";
import * as writes from "./writes/clientWrites.ts";
import { requireConfirmation } from "./writes/confirmation.ts";
import { createClient } from "./writes/createClient.ts";
import type { WriteResult } from "./writes/outcome.ts";
import { writeClient } from "./writes/write.ts";

/**
 * Everything that a key of scope WRITE may do. Created by `createAdmin`.
 *
 * Each write reads the client first, sends the change once, and returns its outcome: see `WriteResult`. A refusal is
 * thrown; a busy row is retried once; a write with an unknown outcome is never sent again.
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
    return writeClient(this.#settings, writes.setEnabled(id, enabled), options);
  }

  /** The name that people read at the consent. */
  setClientDisplayName(id: string, displayName: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.setDisplayName(id, displayName), options);
  }

  /** Which providers and capabilities the client may use, from the next read on. */
  setClientPolicy(id: string, policy: ClientPolicy, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.setPolicy(id, policy), options);
  }

  /** A tenant that the backend of the client may name, 1 to 128 characters. */
  addClientTenantKey(id: string, tenantKey: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.addTenantKey(id, tenantKey), options);
  }

  /** What belongs to the tenant stays stored, and is FORBIDDEN from the next read on. */
  removeClientTenantKey(id: string, tenantKey: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.removeTenantKey(id, tenantKey), options);
  }

  /** An exact origin: scheme, host and port as a browser writes them. */
  addClientOrigin(id: string, origin: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.addOrigin(id, origin), options);
  }

  /** CONFLICT with LAST_ORIGIN for the last origin, or with ORIGIN_IN_USE while a return URL uses it. */
  removeClientOrigin(id: string, origin: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.removeOrigin(id, origin), options);
  }

  /** A return URL on one of the client's origins. Without the literal `true` of the confirmation nothing is sent. */
  async addClientReturnUrl(
    id: string,
    url: string,
    confirmation: ReturnUrlConfirmation,
    options?: CallOptions,
  ): Promise<WriteResult> {
    requireConfirmation(confirmation, "addClientReturnUrl");
    return writeClient(this.#settings, writes.addReturnUrl(id, url, confirmation), options);
  }

  /** CONFLICT with LAST_RETURN_URL when it is the last one. */
  removeClientReturnUrl(id: string, url: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.removeReturnUrl(id, url), options);
  }

  /** Whether pages on origins of the deployment's preview template count, too. */
  setClientPreviewOrigins(id: string, enabled: boolean, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.setPreviewOrigins(id, enabled), options);
  }

  /** A path that is a return URL on every preview origin. */
  addClientPreviewReturnPath(id: string, path: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.addPreviewReturnPath(id, path), options);
  }

  /** After the removal, attempts can no longer end at this path of preview origins. */
  removeClientPreviewReturnPath(id: string, path: string, options?: CallOptions): Promise<WriteResult> {
    return writeClient(this.#settings, writes.removePreviewReturnPath(id, path), options);
  }

  /**
   * Applies the steps of a plan in order and reports each outcome. It reads the client first: if the client differs
   * from the planned state, it changes nothing and throws StalePlanError, unless the whole plan is already applied. It
   * stops at the first step that is refused or has an unknown outcome; plan again to continue.
   */
  apply(plan: ClientPlan, options?: ApplyOptions): Promise<ApplyResult> {
    return applyPlan(this.#settings, plan, options);
  }
}
