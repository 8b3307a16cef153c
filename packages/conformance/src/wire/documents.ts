import { DOCUMENT_PARTS as ADMIN } from "../_generated/adminWire.ts";
import { DOCUMENT_PARTS as CONSUMER } from "../_generated/consumerWire.ts";

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
  return documentText({ [name]: [name, CONSUMER[name]] });
}

/** The same for the admin API. */
export function adminDocumentOf(name: AdminOperationName): string {
  return adminDocument({ [name]: name });
}

/** One document of several operations of one kind. Their variables are called `<key>_<argument>`. */
export function adminDocument(operations: Readonly<Record<string, AdminOperationName>>): string {
  return documentText(
    Object.fromEntries(Object.entries(operations).map(([key, name]) => [key, [name, ADMIN[name]] as const])),
  );
}

export function adminKindOf(name: AdminOperationName): DocumentParts["kind"] {
  return ADMIN[name].kind;
}

function documentText(operations: Readonly<Record<string, readonly [name: string, parts: DocumentParts]>>): string {
  const entries = Object.entries(operations);
  const variable = (key: string, arg: string) => (entries.length === 1 ? arg : `${key}_${arg}`);
  const inParentheses = (list: readonly string[]) => (list.length === 0 ? "" : `(${list.join(", ")})`);
  const declared = entries.flatMap(([key, [, { args }]]) =>
    Object.entries(args).map(([arg, type]) => `$${variable(key, arg)}: ${type}`),
  );
  const fields = entries.map(([key, [name, { args, fields: selected }]]) => {
    const passed = Object.keys(args).map((arg) => `${arg}: $${variable(key, arg)}`);
    const selection = selected === "" ? "" : ` { ${selected} }`;
    return `${key === name ? name : `${key}: ${name}`}${inParentheses(passed)}${selection}`;
  });
  const kind = entries[0]?.[1][1].kind ?? "query";
  return `${kind}${inParentheses(declared)} { ${fields.join(" ")} }`;
}
