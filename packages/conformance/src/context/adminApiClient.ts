import { randomUUID } from "node:crypto";
import type { AdminClient, ApiKey, CreateClientInput } from "../_generated/adminWire.ts";
import type { AdminDriver, PanelDriver } from "../target/adminDriver.ts";
import { callInPanel } from "../target/adminScript.ts";
import { ADMIN_API } from "../wire/apis.ts";
import { ApiCaller, type CallerOptions, type RequestOptions } from "../wire/call.ts";
import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  type Failure,
  type Outcome,
  outcomeOf,
} from "../wire/documents.ts";
import type { Expectations } from "./expectation.ts";

interface PanelOptions {
  readonly as?: PanelDriver;
  readonly raw?: boolean;
}

interface AdminRequest extends RequestOptions {
  readonly key?: string;
}

export interface Minted {
  readonly id: string;
  readonly key: string;
  readonly apiKey: ApiKey;
}

export class AdminApiClient {
  readonly driver: AdminDriver;
  /** The ids of the clients that the case created. */
  readonly made: string[] = [];
  readonly #expect: Expectations;
  readonly #wire: Pick<CallerOptions, "notes" | "fetch">;

  constructor(driver: AdminDriver, expect: Expectations, wire: Pick<CallerOptions, "notes" | "fetch">) {
    this.driver = driver;
    this.#expect = expect;
    this.#wire = wire;
  }

  caller(key: string): ApiCaller {
    return new ApiCaller({ ...this.#wire, baseUrl: this.driver.adminHost, key, api: ADMIN_API });
  }

  /** Calls an operation with any arguments, by default with the WRITE key. */
  async call<Name extends AdminOperationName>(
    name: Name,
    args: unknown,
    { key = this.driver.writeKey, ...request }: AdminRequest = {},
  ): Promise<Outcome<AdminAnswer<Name>>> {
    const answer = await this.caller(key).graphql(adminDocumentOf(name), args, request);
    const outcome: Outcome<AdminAnswer<Name>> = outcomeOf(answer, name);
    if (name === "createClient" && outcome.ok) this.made.push((outcome.value as AdminClient).id);
    return outcome;
  }

  async get<Name extends AdminOperationName>(
    name: Name,
    args: AdminArgs<Name>,
    options?: AdminRequest,
  ): Promise<AdminAnswer<Name>> {
    return this.#expect.value(await this.call(name, args, options), `${name} succeeds`);
  }

  /** Calls and expects this code and reason; null: no reason. */
  async refuses<Name extends AdminOperationName>(
    name: Name,
    args: unknown,
    code: string,
    reason: string | null = null,
    { what = `${name} is refused`, ...request }: AdminRequest & { readonly what?: string } = {},
  ): Promise<Failure> {
    return this.fails(await this.call(name, args, request), code, reason, what);
  }

  fails(outcome: Outcome<unknown>, code: string, reason: string | null, what: string): Failure {
    const failure = this.#expect.fails(outcome, code, what);
    this.#expect.equal(failure.reason, reason, `${what}: reason`);
    return failure;
  }

  /** Runs an operation in the panel, by default as the first admin. */
  async panel<Name extends AdminOperationName>(
    name: Name,
    args: AdminArgs<Name>,
    options: PanelOptions = {},
  ): Promise<Outcome<AdminAnswer<Name>>> {
    const { as = this.driver.panel, ...how } = options;
    const outcome = await callInPanel(as, name, args, how);
    this.#wire.notes.see(ADMIN_API.observe(adminDocumentOf(name), args, 200, outcome.answer.body));
    if (outcome.ok) this.#hideSecrets(outcome.value);
    return outcome;
  }

  async inPanel<Name extends AdminOperationName>(
    name: Name,
    args: AdminArgs<Name>,
    as?: PanelDriver,
  ): Promise<AdminAnswer<Name>> {
    return this.#expect.value(await this.panel(name, args, as && { as }), `${name} succeeds in the panel`);
  }

  async panelRefuses<Name extends AdminOperationName>(
    name: Name,
    args: AdminArgs<Name>,
    type: string,
    reason: string | null = null,
    options?: PanelOptions,
  ): Promise<Failure> {
    return this.fails(await this.panel(name, args, options), type, reason, `${name} is refused in the panel`);
  }

  /** A new client for the case, with two origins and two return URLs, so that one of each can be removed. */
  async client(fields: Partial<CreateClientInput> = {}): Promise<AdminClient> {
    return this.get("createClient", { input: clientInput(fields) });
  }

  /** A new key of the first admin or of another admin. Such cases hold `ADMIN_KEYS`, because an admin has at most five. */
  async mint(
    scope: "READ" | "WRITE",
    options: { readonly as?: PanelDriver; readonly lifetimeDays?: number } = {},
  ): Promise<Minted> {
    const { as, lifetimeDays = 1 } = options;
    const args = { label: `conformance ${scope.toLowerCase()}`, scope, lifetimeDays };
    const { apiKey, key } = await this.inPanel("mintApiKey", args, as);
    return { id: apiKey.id, key, apiKey };
  }

  async withKey<Result>(scope: "READ" | "WRITE", during: (minted: Minted) => Promise<Result>): Promise<Result> {
    const minted = await this.mint(scope);
    try {
      return await during(minted);
    } finally {
      await this.panel("revokeApiKey", { id: minted.id });
    }
  }

  #hideSecrets(value: unknown): void {
    const key: unknown = Object(value).key;
    if (typeof key !== "string") return;
    this.#wire.notes.secret(key);
    this.#wire.notes.secret(key.slice(key.indexOf(".") + 1));
  }
}

/** The lock of every case that mints keys as the first admin: they share the five. */
export const ADMIN_KEYS = "keys of the first admin";

export function clientInput(fields: Partial<CreateClientInput> = {}): CreateClientInput {
  const slug = fields.slug ?? `conformance-${randomUUID().slice(0, 13)}`;
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
