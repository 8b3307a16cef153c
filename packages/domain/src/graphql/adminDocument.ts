import type { AdminForbiddenReason, AdminKeyScope, AdminOperationClass } from "@social-connect/contract";
import { findAdminOperation } from "@social-connect/contract";
import type { Refusal } from "../decisions/refusal.ts";
import { badUserInput } from "../decisions/refusal.ts";
import type { DocumentShape, SelectionSetShape } from "./documentLimits.ts";
import { measureDocument } from "./documentLimits.ts";

/** The description gives the admin API no limits of its own but one operation; these hold every page of the panel twice over. */
export const ADMIN_DOCUMENT_LIMITS = { operations: 1, depth: 8, aliases: 8, cost: 300, tokens: 1_500 } as const;

export function checkAdminDocumentLimits(document: DocumentShape): Refusal | null {
  const { operations, depth, aliases, cost } = measureDocument(document);
  const limits = ADMIN_DOCUMENT_LIMITS;
  const isWithin =
    operations === limits.operations && depth <= limits.depth && aliases <= limits.aliases && cost <= limits.cost;
  return isWithin ? null : badUserInput("The document is over a limit, or does not hold exactly one operation.");
}

/** True when a body names its document and does not hold it: no document is known here by a name or hash. */
export function isNamedDocumentOnly(body: Readonly<Record<string, unknown>>): boolean {
  const { query, extensions, documentId } = body;
  return (query === undefined || query === null || query === "") && (extensions ?? documentId) != null;
}

export interface ClassRefusal {
  readonly code: "FORBIDDEN";
  readonly reason: AdminForbiddenReason;
  readonly message: string;
}

/** A document whose operations tell their kind, as graphql-js's DocumentNode does. */
export interface OperationsShape extends DocumentShape {
  readonly definitions: readonly (DocumentShape["definitions"][number] & { readonly operation?: string | undefined })[];
}

/**
 * Why an API key of a scope may not send a document; null when it may. Every root field counts: in a fragment, under an
 * alias, under `@skip` or `@include(if: false)`. Source: service description, parts 4 and 7.
 */
export function checkOperationClasses(document: OperationsShape, scope: AdminKeyScope): ClassRefusal | null {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === "FragmentDefinition" && one.name && one.selectionSet ? [[one.name.value, one.selectionSet]] : [],
    ),
  );
  const operations = document.definitions.filter((one) => one.kind === "OperationDefinition");
  const classes = new Set<AdminOperationClass | null>();
  for (const { operation = "query", selectionSet } of operations) {
    for (const field of rootFields(selectionSet, fragments)) classes.add(classOf(operation, field));
  }
  if (classes.has("PANEL")) {
    return { code: "FORBIDDEN", reason: "PANEL_ONLY", message: "This can be done in the panel alone." };
  }
  const changes = classes.has("WRITE") || operations.some(({ operation = "query" }) => operation !== "query");
  if (scope === "READ" && changes) {
    return { code: "FORBIDDEN", reason: "API_KEY_READ_ONLY", message: "This key may only read." };
  }
  return null;
}

/** Null for what is not an operation, such as `__typename` or a mutation in a query. */
function classOf(kind: string, name: string): AdminOperationClass | null {
  const operation = findAdminOperation(name);
  return operation?.kind === kind ? operation.access : null;
}

/** With a list of its own instead of recursion, and each fragment once: no nest or circle of them can hold it up. */
function rootFields(
  root: SelectionSetShape | undefined,
  fragments: ReadonlyMap<string, SelectionSetShape>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const open = root ? [root] : [];
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    for (const { kind, name, selectionSet } of set.selections) {
      if (kind === "Field" && name) names.add(name.value);
      else if (kind === "InlineFragment" && selectionSet) open.push(selectionSet);
      else if (kind === "FragmentSpread" && name && !seen.has(name.value)) {
        seen.add(name.value);
        const fragment = fragments.get(name.value);
        if (fragment !== undefined) open.push(fragment);
      }
    }
  }
  return names;
}
