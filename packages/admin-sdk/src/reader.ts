import { type ApiCall, apiCall, type CallOptions, type Paged } from "@social-connect/sdk-core";
import type {
  AdminClient,
  AdminClientPage,
  AdminMember,
  AdminProviderAvailability,
  AdminRegistration,
  AuditEntry,
  AuditEntryPage,
  PreviewTemplate,
} from "./_generated/types.ts";
import type { ClientDeclaration } from "./declaration/declaration.ts";
import type { ClientPlan } from "./plan/plan.ts";
import type { PlanOptions } from "./plan/planClient.ts";
import { exchange } from "./wire/call.ts";
import { type AuditOptions, findClient, type ListOptions, listAudit, listClients } from "./wire/reads.ts";
import type { Settings } from "./wire/settings.ts";

/** The operations for keys of both scopes. Created by `createAdmin`. */
export class AdminReader {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The clients, sorted by slug. Iterate over the result, or over its `pages()`. */
  clients(options?: ListOptions): Paged<AdminClient, AdminClientPage> {
    return listClients(this.#settings, options);
  }

  /** One client. NotFoundError for an unknown id. */
  client(id: string, options?: CallOptions): ApiCall<AdminClient> {
    return apiCall(() => exchange(this.#settings, "adminClient", { id }, options));
  }

  /** The client with this slug, or undefined. The API finds clients only by id, so this reads the whole list. */
  findClient(slug: string, options?: CallOptions): Promise<AdminClient | undefined> {
    return findClient(this.#settings, slug, options);
  }

  /** The audit log of the last 30 days, newest first; with `apiKeyId`, only the entries of that key. */
  audit(options?: AuditOptions): Paged<AuditEntry, AuditEntryPage> {
    return listAudit(this.#settings, options);
  }

  /** The admins, oldest first. */
  members(options?: CallOptions): ApiCall<readonly AdminMember[]> {
    return apiCall(() => exchange(this.#settings, "adminMembers", {}, options));
  }

  /** The service's registrations at the providers. */
  registrations(options?: CallOptions): ApiCall<readonly AdminRegistration[]> {
    return apiCall(() => exchange(this.#settings, "adminRegistrations", {}, options));
  }

  /** Whether accounts of each provider can be connected, and why not. */
  providerAvailability(options?: CallOptions): ApiCall<readonly AdminProviderAvailability[]> {
    return apiCall(() => exchange(this.#settings, "adminProviderAvailability", {}, options));
  }

  /** The template of the deployment's preview origins. */
  previewTemplate(options?: CallOptions): ApiCall<PreviewTemplate> {
    return apiCall(() => exchange(this.#settings, "previewTemplate", {}, options));
  }

  /**
   * Plans the steps that create a client or change it to the declared state, without applying them. The plan is plain
   * data: show it with `describePlan`, store it as JSON, and pass it to `apply` of a WRITE client.
   */
  async plan(declaration: ClientDeclaration, options?: PlanOptions): Promise<ClientPlan> {
    // Loaded when it is needed: half of the package plans and applies declarations.
    const { planClient } = await import("./plan/planClient.ts");
    return planClient(this.#settings, declaration, options);
  }
}
