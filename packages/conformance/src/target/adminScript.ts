import { ADMIN_API } from "../wire/apis.ts";
import { ApiCaller, NO_NOTES } from "../wire/call.ts";
import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  type PanelFailure,
} from "../wire/documents.ts";
import type { AdminDriver, PanelAnswer, PanelDriver } from "./adminDriver.ts";

/** The drivers' own admin calls: each succeeds, or throws with the actual result. */
export class AdminScript {
  readonly #admin: AdminDriver;
  readonly #api: ApiCaller;

  constructor(admin: AdminDriver, fetch: typeof globalThis.fetch | undefined) {
    this.#admin = admin;
    this.#api = new ApiCaller({
      baseUrl: admin.adminHost,
      key: admin.writeKey,
      notes: NO_NOTES,
      fetch,
      api: ADMIN_API,
    });
  }

  async withKey<Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>): Promise<AdminAnswer<Name>> {
    const answer = await this.#api.graphql(adminDocumentOf(name), args);
    if (answer.body === null) throw new Error(`${name} returned status ${answer.status} and no JSON.`);
    return recordOf(answer.body, name);
  }

  inPanel<Name extends AdminOperationName>(name: Name, args: AdminArgs<Name>): Promise<AdminAnswer<Name>> {
    return runInPanel(this.#admin.panel, name, args);
  }
}

export async function runInPanel<Name extends AdminOperationName>(
  panel: PanelDriver,
  name: Name,
  args: AdminArgs<Name>,
): Promise<AdminAnswer<Name>> {
  return recordOf(await panel.run(adminDocumentOf(name), { ...args }), name);
}

/** The record that an operation returned; throws for an error, also a typed one. */
export function recordOf<Name extends AdminOperationName>(answer: PanelAnswer, name: Name, key = name as string) {
  const [error] = answer.errors ?? [];
  if (error !== undefined) throw new AdminRefusal(name, error.extensions?.code ?? "no code", error.extensions?.reason);
  const value = answer.data?.[key];
  if (isPanelFailure(value)) throw new AdminRefusal(name, value.__typename, value.reason ?? undefined);
  return value as AdminAnswer<Name>;
}

/** Not a record: the panel's typed errors are identified by their type name. */
export function isPanelFailure(value: unknown): value is PanelFailure {
  return typeof value === "object" && value !== null && /Error$/.test(String((value as PanelFailure).__typename));
}

export class AdminRefusal extends Error {
  /** A code of the API, or the name of a typed error. */
  readonly code: string;
  readonly reason: string | undefined;

  constructor(name: AdminOperationName, code: string, reason: string | undefined) {
    super(`${name} was refused with ${code}${reason === undefined ? "" : ` (${reason})`}`);
    this.name = "AdminRefusal";
    this.code = code;
    this.reason = reason;
  }
}
