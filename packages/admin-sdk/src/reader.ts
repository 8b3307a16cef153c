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

/** What a key of either scope may do. `createAdmin` makes it. */
export class AdminReader {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The clients, in the order of their slugs. Iterate over it, or take `pages()`. */
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

  /** The admins, the one who was added first at the top. */
  async members(options?: CallOptions): Promise<readonly AdminMember[]> {
    const data = await call(
      this.#settings,
      { operation: "adminMembers", send: (requests) => requests.AdminMembers() },
      options,
    );
    return data.adminMembers;
  }

  /** How the service is known at the providers. */
  async registrations(options?: CallOptions): Promise<readonly AdminRegistration[]> {
    const data = await call(
      this.#settings,
      { operation: "adminRegistrations", send: (requests) => requests.AdminRegistrations() },
      options,
    );
    return data.adminRegistrations;
  }

  /** Whether each provider can be connected at all, and why not. */
  async providerAvailability(options?: CallOptions): Promise<readonly AdminProviderAvailability[]> {
    const data = await call(
      this.#settings,
      { operation: "adminProviderAvailability", send: (requests) => requests.AdminProviderAvailability() },
      options,
    );
    return data.adminProviderAvailability;
  }

  /** Which origins count as previews of the deployment. */
  async previewTemplate(options?: CallOptions): Promise<PreviewTemplate> {
    const data = await call(
      this.#settings,
      { operation: "previewTemplate", send: (requests) => requests.PreviewTemplate() },
      options,
    );
    return data.previewTemplate;
  }

  /**
   * What it takes to bring a client to the declared state: create it, or change it. Only reads. The plan is plain data:
   * show it (`describePlan`), keep it as JSON, and give it to `apply` of a WRITE client.
   */
  plan(declaration: ClientDeclaration, options?: CallOptions): Promise<ClientPlan> {
    return planClient(this.#settings, declaration, options);
  }
}
