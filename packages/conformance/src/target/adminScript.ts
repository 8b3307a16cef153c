import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  type PanelFailure,
} from "../wire/documents.ts";
import type { PanelAnswer, PanelDriver } from "./adminDriver.ts";

/** A driver's own admin call: it succeeds, or throws with the actual result. */
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
