import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  type Failure,
  type Outcome,
  outcomeOf,
} from "../wire/documents.ts";
import type { PanelDriver } from "./target.ts";

/** What a panel operation returns: the record, or one of the typed errors. */
interface PanelResult {
  readonly __typename: string;
  readonly message: string;
  readonly reason?: string | null;
  readonly field?: string | null;
  readonly problems?: readonly { readonly address: string }[];
}

/** Runs an operation in the panel. A typed error has its type as the code. */
export async function callInPanel<Name extends AdminOperationName>(
  panel: PanelDriver,
  name: Name,
  args: AdminArgs<Name>,
  options?: { readonly raw?: boolean },
): Promise<Outcome<AdminAnswer<Name>>> {
  const body = await panel.run(adminDocumentOf(name), { ...args }, options);
  const answer = { status: 200, headers: new Headers(), text: JSON.stringify(body), body };
  const outcome: Outcome<AdminAnswer<Name>> = outcomeOf(answer, name);
  const { __typename: code, ...value }: Partial<PanelResult> = Object(outcome.ok ? outcome.value : null);
  if (code === undefined) return outcome;
  // The record, as a query returns it.
  if (!code.endsWith("Error")) return { ok: true, value: value as unknown as AdminAnswer<Name>, answer };
  const { message = "", reason = null, field = null, problems = [] } = value;
  const addresses = problems.map(({ address }) => address);
  return { ok: false, code, reason, field, addresses, message, retryAfterSeconds: null, answer };
}

/** A driver's own admin call: it succeeds, or throws with the actual result. */
export async function runInPanel<Name extends AdminOperationName>(
  panel: PanelDriver,
  name: Name,
  args: AdminArgs<Name>,
): Promise<AdminAnswer<Name>> {
  const outcome = await callInPanel(panel, name, args);
  if (!outcome.ok) throw refusalOf(name, outcome);
  return outcome.value;
}

export function refusalOf(name: AdminOperationName, { code, reason }: Failure): Error {
  return new Error(`${name} was refused with ${code}${reason === null ? "" : ` (${reason})`}`);
}
