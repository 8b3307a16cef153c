import type { AdminClient, AuditEntry, CreateClientInput } from "../_generated/adminWire.ts";
import { callInPanel } from "../target/adminScript.ts";
import type { AdminDriver, PanelDriver } from "../target/target.ts";
import { ADMIN_API } from "../wire/apis.ts";
import { ApiCaller, allOf, type RequestOptions } from "../wire/call.ts";
import { type AdminArgs, type AdminOperationName, adminDocumentOf, invokeAdmin } from "../wire/documents.ts";
import type { Recorder } from "../wire/recorder.ts";
import type { Expectations } from "./expectation.ts";

interface PanelOptions {
  readonly as?: PanelDriver;
  readonly raw?: boolean;
}

interface Wire {
  readonly recorder: Recorder;
  readonly fetch: typeof globalThis.fetch | undefined;
}

interface AdminRequest extends RequestOptions {
  readonly key?: string;
}

export class AdminApiClient {
  readonly driver: AdminDriver;
  readonly #t: Expectations;
  readonly #wire: Wire;
  readonly #made: string[];

  /** Adds to `made` the ids of the clients that the case creates. */
  constructor(driver: AdminDriver, t: Expectations, wire: Wire, made: string[]) {
    this.driver = driver;
    this.#t = t;
    this.#wire = wire;
    this.#made = made;
  }

  caller(key: string): ApiCaller {
    return new ApiCaller({ ...this.#wire, baseUrl: this.driver.adminHost, key, api: ADMIN_API });
  }

  /** Calls an operation with any arguments, by default with the WRITE key. */
  async call<Name extends AdminOperationName>(name: Name, args: unknown, options: AdminRequest = {}) {
    const { key = this.driver.writeKey, ...request } = options;
    const outcome = await invokeAdmin(this.caller(key), name, args, request);
    if (name === "createClient" && outcome.ok) this.#made.push((outcome.value as AdminClient).id);
    return outcome;
  }

  async get<Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>, options?: AdminRequest) {
    return this.#t.value(await this.call(name, args, options), `${name} succeeds`);
  }

  /** Calls and expects this code and reason; null: no reason. */
  async refuses(
    name: AdminOperationName,
    args: unknown,
    code: string,
    reason: string | null = null,
    { what = `${name} is refused`, ...request }: AdminRequest & { readonly what?: string } = {},
  ) {
    return this.#t.fails(await this.call(name, args, request), code, what, reason);
  }

  /** The operation refuses these arguments, and its message does not say which one it was. */
  async refusesArguments(name: AdminOperationName, args: unknown, names: readonly string[]) {
    const what = `${name} refuses ${JSON.stringify(args).slice(0, 120)}`;
    const { answer } = await this.refuses(name, args, "BAD_USER_INPUT", null, { what });
    for (const { message } of answer.body?.errors ?? []) {
      const named = names.filter((one) => message.includes(one));
      this.#t.equal(named, [], "the message names no field (service description, part 7)");
    }
  }

  entriesOf(apiKeyId: string): Promise<AuditEntry[]> {
    return allOf((after) => this.get("adminAuditEntries", { apiKeyId, first: 100, after }));
  }

  /** The audit entries of a key are these, newest first. */
  async audited(apiKeyId: string, actions: readonly string[]) {
    const given = (await this.entriesOf(apiKeyId)).map(({ action }) => action);
    this.#t.equal(given, actions, "the key's audit entries");
  }

  /** Runs an operation in the panel, by default as the first admin. */
  async panel<Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>, options: PanelOptions = {}) {
    const { as = this.driver.panel, ...how } = options;
    const outcome = await callInPanel(as, name, args, how);
    this.#wire.recorder.see(ADMIN_API.observe(adminDocumentOf(name), args, 200, outcome.answer.body));
    if (outcome.ok) this.#wire.recorder.secretsOf(outcome.value);
    return outcome;
  }

  async inPanel<Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>, as?: PanelDriver) {
    return this.#t.value(await this.panel(name, args, as && { as }), `${name} succeeds in the panel`);
  }

  async panelRefuses<Name extends AdminOperationName>(
    name: Name,
    args: AdminArgs<Name>,
    type: string,
    reason: string | null = null,
    options?: PanelOptions,
  ) {
    return this.#t.fails(await this.panel(name, args, options), type, `${name} is refused in the panel`, reason);
  }

  /** A new client for the case, with two origins and two return URLs, so that one of each can be removed. */
  async client(fields: Partial<CreateClientInput> = {}): Promise<AdminClient> {
    return this.get("createClient", { input: clientInput(fields) });
  }

  /** A new key of the first admin or of another admin. Such cases hold `ADMIN_KEYS`, because an admin has at most five. */
  async mint(scope: "READ" | "WRITE", { as, lifetimeDays = 1 }: { as?: PanelDriver; lifetimeDays?: number } = {}) {
    const args = { label: `conformance ${scope.toLowerCase()}`, scope, lifetimeDays };
    const { apiKey, key } = await this.inPanel("mintApiKey", args, as);
    return { id: apiKey.id, key, apiKey };
  }

  /** The same, revoked at the end of the block that uses it. */
  async useKey(scope: "READ" | "WRITE") {
    const minted = await this.mint(scope);
    return { ...minted, [Symbol.asyncDispose]: async () => void (await this.panel("revokeApiKey", { id: minted.id })) };
  }
}

/** The lock of every case that mints keys as the first admin: they share the five. */
export const ADMIN_KEYS = "keys of the first admin";

export function clientInput(fields: Partial<CreateClientInput> = {}): CreateClientInput {
  const slug = fields.slug ?? `conformance-${crypto.randomUUID().slice(0, 13)}`;
  const origin = `https://${slug.slice(0, 50)}.example.test`;
  return {
    slug,
    displayName: "Made by a case",
    webOrigins: [origin, `${origin}:8443`],
    returnUrls: [`${origin}/return`, `${origin}/other-return`],
    tenantKeys: ["tenant-one"],
    providers: ["PROVIDER_A"],
    capabilities: ["PROFILE"],
    confirmedNoOnwardRedirect: true,
    ...fields,
  };
}
