import { API_KEY_OPERATIONS } from "@social-connect/contract";
import {
  type AdminRefusal,
  type Client,
  type ClientChangeName,
  checkInput,
  decideClientChange,
  decideCreateClient,
  isRefusal,
  type Mode,
  NO_BRANDING,
  originRules,
} from "@social-connect/domain";
import { operationIn, refusal } from "@social-connect/sdk-core/testing/replies";
import type { OperationName } from "../_generated/operations.ts";
import type { AdminClient, AuditEntry, CreateClientInput } from "../_generated/types.ts";

/** A canary: no test may find its secret half anywhere but in an Authorization header. */
export const KEY = `scadm_11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
export const HOST = "https://admin.example.com";

export interface RecordedCall {
  readonly operation: OperationName;
  readonly url: string;
  readonly headers: Headers;
  readonly variables: Record<string, unknown>;
}

/** A fault of the next call of an operation. */
export type Fault =
  | { readonly reply: () => Response | Promise<Response> }
  | { readonly before: () => Error | Promise<Error> }
  | { readonly after: () => Error | Response | Promise<Error | Response> };

/** The admin API in memory, with the service's own rules for clients, and with faults. */
export class FakeAdmin {
  readonly clients = new Map<string, AdminClient>();
  readonly audit: AuditEntry[] = [];
  readonly calls: RecordedCall[] = [];
  /** Small, so that tests cover several pages. */
  pageSize = 2;
  mode: Mode = "sandbox";
  /** Runs before a call is served; tests make concurrent changes here. */
  meanwhile: (call: RecordedCall) => void = () => undefined;
  readonly #faults = new Map<OperationName, Fault[]>();
  #version = 0;

  fail(operation: OperationName, ...faults: Fault[]): void {
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), ...faults]);
  }

  put(client: Partial<AdminClient> & { readonly id: string }): AdminClient {
    this.#version += 1;
    const updatedAt = new Date(Date.UTC(2026, 2, 1) + this.#version).toISOString();
    const whole = { ...BLANK, ...this.clients.get(client.id), ...client, updatedAt };
    this.clients.set(client.id, whole);
    return whole;
  }

  of(...operations: readonly OperationName[]): readonly RecordedCall[] {
    return this.calls.filter(({ operation }) => operations.includes(operation));
  }

  /** The write operations that were sent, in order. */
  writes(): readonly OperationName[] {
    return this.calls.map(({ operation }) => operation).filter((operation) => !/^(admin|preview)/.test(operation));
  }

  readonly fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted();
    const body: { query: string; variables: Record<string, unknown> } = JSON.parse(String(init?.body));
    const operation = operationIn(body.query) as OperationName;
    const call = { operation, url: String(url), headers: new Headers(init?.headers), variables: body.variables ?? {} };
    this.calls.push(call);
    const fault = this.#faults.get(operation)?.shift();
    if (fault !== undefined && "before" in fault) throw await fault.before();
    if (fault !== undefined && "reply" in fault) return fault.reply();
    this.meanwhile(call);
    const answer = this.#answer(call);
    if (fault === undefined) return answer;
    const after = await fault.after();
    if (after instanceof Error) throw after;
    return after;
  };

  #answer({ operation, variables }: RecordedCall): Response {
    const invalid = checkInput(operation, variables);
    if (invalid !== null) return refusal(invalid.code);
    switch (operation) {
      case "adminClients":
        return answered(operation, this.#page([...this.clients.values()].sort(bySlug), variables));
      case "adminAuditEntries": {
        const ofKey = this.audit.filter(({ apiKeyId }) => [null, apiKeyId].includes(variables.apiKeyId as null));
        return answered(operation, this.#page(ofKey, variables));
      }
      case "adminMembers":
      case "adminRegistrations":
      case "adminProviderAvailability":
        return answered(operation, []);
      case "previewTemplate":
        return answered(operation, {
          template: "https://{label}.preview.example.app",
          allowsLoopbackHttp: originRules(this.mode).allowLoopbackHttp,
        });
      case "createClient":
        return this.#create(variables.input as CreateClientInput);
      default:
        return this.#change(operation, variables);
    }
  }

  #create(input: CreateClientInput): Response {
    const slugIsTaken = [...this.clients.values()].some(({ slug }) => slug === input.slug);
    const id = `client-${this.clients.size + 1}`;
    const change = decideCreateClient({ slugIsTaken, mode: this.mode }, input, id, new Date());
    if (isRefusal(change)) return refused(change);
    const { createdAt: _, updatedAt: __, ...client } = change.patch;
    return answered("createClient", this.put(client));
  }

  #change(operation: OperationName, { id, ...input }: Record<string, unknown>): Response {
    const client = [...this.clients.values()].find((one) => one.id === id || one.slug === input.slug);
    if (client === undefined) return refusal("NOT_FOUND");
    if (API_KEY_OPERATIONS[operation].kind === "query") return answered(operation, client);
    const facts = { client: stored(client), openAttempts: { connect: [], identity: [] }, previewTemplate: null };
    const name = operation as ClientChangeName;
    const change = decideClientChange(name, { ...facts, mode: this.mode }, input as never, new Date());
    if (change === null) return answered(operation, client);
    if (isRefusal(change)) return refused(change);
    const { updatedAt: _, ...patch } = change.patch;
    return answered(operation, this.put({ ...patch, id: client.id }));
  }

  #page<Item>(all: readonly Item[], { after, first }: Record<string, unknown>) {
    const start = typeof after === "string" ? Number(after) : 0;
    const end = start + Math.min(Number(first ?? this.pageSize), this.pageSize);
    return { items: all.slice(start, end), pageInfo: { endCursor: String(end), hasNextPage: end < all.length } };
  }
}

export const BLANK: AdminClient = {
  id: "",
  slug: "",
  displayName: "",
  enabled: true,
  webOrigins: [],
  returnUrls: [],
  identityReturnUrls: [],
  providers: [],
  capabilities: [],
  tenantKeys: [],
  previewOriginsEnabled: false,
  previewReturnPaths: [],
  idpIdentityEnabled: false,
  ...NO_BRANDING,
  createdAt: "2026-03-01T00:00:00.000Z",
  updatedAt: "2026-03-01T00:00:00.000Z",
};

function stored(client: AdminClient): Client {
  const copy = structuredClone<unknown>(client) as Client;
  return { ...copy, createdAt: new Date(client.createdAt), updatedAt: new Date(client.updatedAt) };
}

function answered(operation: OperationName, value: unknown): Response {
  return Response.json({ data: { [operation]: value } });
}

function refused({ code, reason }: AdminRefusal): Response {
  return refusal(code, reason === undefined ? {} : { reason });
}

function bySlug(left: AdminClient, right: AdminClient): number {
  return left.slug < right.slug ? -1 : 1;
}
