import type { CallOptions, Paged } from "@social-connect/sdk-core";
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
import { planClient } from "./plan/planClient.ts";
import { call } from "./wire/call.ts";
import type { AuditOptions, ListOptions } from "./wire/reads.ts";
import { findClient, listAudit, listClients, readClient } from "./wire/reads.ts";
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
  client(id: string, options?: CallOptions): Promise<AdminClient> {
    return readClient(this.#settings, id, options);
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
  async members(options?: CallOptions): Promise<readonly AdminMember[]> {
    const data = await call(
      this.#settings,
      { operation: "adminMembers", send: (requests) => requests.AdminMembers() },
      options,
    );
    return data.adminMembers;
  }

  /** The service's registrations at the providers. */
  async registrations(options?: CallOptions): Promise<readonly AdminRegistration[]> {
    const data = await call(
      this.#settings,
      { operation: "adminRegistrations", send: (requests) => requests.AdminRegistrations() },
      options,
    );
    return data.adminRegistrations;
  }

  /** Whether accounts of each provider can be connected, and why not. */
  async providerAvailability(options?: CallOptions): Promise<readonly AdminProviderAvailability[]> {
    const data = await call(
      this.#settings,
      { operation: "adminProviderAvailability", send: (requests) => requests.AdminProviderAvailability() },
      options,
    );
    return data.adminProviderAvailability;
  }

  /** The template of the deployment's preview origins. */
  async previewTemplate(options?: CallOptions): Promise<PreviewTemplate> {
    const data = await call(
      this.#settings,
      { operation: "previewTemplate", send: (requests) => requests.PreviewTemplate() },
      options,
    );
    return data.previewTemplate;
  }

  /**
   * Plans the steps that create a client or change it to the declared state, without applying them. The plan is plain
   * data: show it with `describePlan`, store it as JSON, and pass it to `apply` of a WRITE client.
   */
  plan(declaration: ClientDeclaration, options?: CallOptions): Promise<ClientPlan> {
    return planClient(this.#settings, declaration, options);
  }
}
