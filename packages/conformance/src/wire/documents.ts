import { DOCUMENT_PARTS as ADMIN, type Operations as AdminOperations } from "../_generated/adminWire.ts";
import { DOCUMENT_PARTS as CONSUMER, type Operations } from "../_generated/consumerWire.ts";
import type { ApiCaller, RequestOptions, WireAnswer } from "./call.ts";

/** What a document requests from one operation: its arguments with their types, and the fields of its response. */
interface DocumentParts {
  readonly kind: "query" | "mutation";
  readonly args: Readonly<Record<string, string>>;
  readonly fields: string;
}

export type OperationName = keyof typeof CONSUMER;
export type AdminOperationName = keyof typeof ADMIN;

export const OPERATION_NAMES = Object.keys(CONSUMER) as OperationName[];

/** The document of an operation of the consumer API, with a variable for each of its arguments. */
export function documentOf(name: OperationName): string {
  return documentText(name, CONSUMER[name]);
}

export function adminDocumentOf(name: AdminOperationName): string {
  return documentText(name, ADMIN[name]);
}

export function adminKindOf(name: AdminOperationName): DocumentParts["kind"] {
  return ADMIN[name].kind;
}

function documentText(name: string, { kind, args, fields }: DocumentParts): string {
  const inParentheses = (list: readonly string[]) => (list.length === 0 ? "" : `(${list.join(", ")})`);
  const declared = Object.entries(args).map(([arg, type]) => `$${arg}: ${type}`);
  const passed = Object.keys(args).map((arg) => `${arg}: $${arg}`);
  const selection = fields === "" ? "" : ` { ${fields} }`;
  return `${kind}${inParentheses(declared)} { ${name}${inParentheses(passed)}${selection} }`;
}

export type AdminArgs<Name extends AdminOperationName> = AdminOperations[Name]["args"];
export type AdminAnswer<Name extends AdminOperationName> = AdminOperations[Name]["answer"];

/** Calls one operation of the consumer API. The arguments are sent unchanged, even if invalid. */
export async function invoke<Name extends OperationName>(
  api: ApiCaller,
  name: Name,
  args: unknown,
  options?: RequestOptions,
): Promise<Outcome<Operations[Name]["answer"]>> {
  return outcomeOf(await api.graphql(documentOf(name), args, options), name);
}

/** The same for the admin API. */
export async function invokeAdmin<Name extends AdminOperationName>(
  api: ApiCaller,
  name: Name,
  args: unknown,
  options?: RequestOptions,
) {
  return outcomeOf<AdminAnswer<Name>>(await api.graphql(adminDocumentOf(name), args, options), name);
}

export type Outcome<Value> = { readonly ok: true; readonly value: Value; readonly answer: WireAnswer } | Failure;

export interface Failure {
  readonly ok: false;
  readonly code: string;
  /** The reason of an error of the admin API, if any. */
  readonly reason: string | null;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly answer: WireAnswer;
  /** The field that a typed error of the panel names, and URLs of a registration that do not respond as they should. */
  readonly field?: string | null;
  readonly addresses?: readonly string[];
}

/** The result of the operation under a response key. */
export function outcomeOf<Value>(answer: WireAnswer, key: string): Outcome<Value> {
  const [error] = answer.body?.errors ?? [];
  if (error === undefined && answer.body !== null) return { ok: true, value: answer.body.data?.[key] as Value, answer };
  return {
    ok: false,
    code: error?.extensions?.code ?? `HTTP ${answer.status} without a code`,
    reason: error?.extensions?.reason ?? null,
    message: error?.message ?? answer.text.slice(0, 200),
    retryAfterSeconds: error?.extensions?.retryAfterSeconds ?? null,
    answer,
  };
}
