import type { Operations as AdminOperations } from "../_generated/adminWire.ts";
import type { Operations } from "../_generated/consumerWire.ts";
import type { ApiCaller, RequestOptions } from "./call.ts";
import { type AdminOperationName, documentOf, type OperationName } from "./documents.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export type AdminArgs<Name extends AdminOperationName> = AdminOperations[Name]["args"];
export type AdminAnswer<Name extends AdminOperationName> = AdminOperations[Name]["answer"];

/** What a panel operation returns instead of the record: one of the typed errors. */
export interface PanelFailure {
  readonly __typename: string;
  readonly message: string;
  readonly reason?: string | null;
  readonly field?: string | null;
  readonly confirmUrl?: string;
  readonly problems?: readonly { readonly address: string; readonly problem: string }[];
}

/** Calls one operation of the consumer API. The arguments are sent unchanged, even if invalid. */
export async function invoke<Name extends OperationName>(
  api: ApiCaller,
  name: Name,
  args: unknown,
  options?: RequestOptions,
): Promise<Outcome<Operations[Name]["answer"]>> {
  const answer = await api.graphql(documentOf(name), args, options);
  return outcomeOf(answer, name);
}
