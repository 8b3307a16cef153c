import { type AdminKeyScope, type AdminOperationClass, findAdminOperation } from "@social-connect/contract";
import { type AdminRefusal, API_KEY_READ_ONLY, PANEL_ONLY, type Refusal, refuse } from "@social-connect/domain";
import { checkMeasure, type DocumentShape, measureDocument, type SelectionSetShape } from "./documentLimits.ts";

/** The service description limits the admin API to one operation only. These allow twice what any panel page needs. */
export const ADMIN_DOCUMENT_LIMITS = { depth: 8, aliases: 8, cost: 300, tokens: 1_500 } as const;

export function checkAdminDocumentLimits(document: DocumentShape): Refusal | null {
  return checkMeasure(measureDocument(document), ADMIN_DOCUMENT_LIMITS);
}

/** Refuses a body that names its document by an id or a hash and does not contain it. */
export function checkNamedDocument(body: Readonly<Record<string, unknown>>): Refusal | null {
  const { query, extensions, documentId } = body;
  const isNamedOnly = (query === undefined || query === null || query === "") && (extensions ?? documentId) != null;
  return isNamedOnly
    ? refuse("UPSTREAM_UNAVAILABLE", "Persisted queries are not supported. Send the full query.")
    : null;
}

/** A document with the kind of its operations; graphql-js's DocumentNode is one. */
export interface OperationsShape extends DocumentShape {
  readonly definitions: readonly (DocumentShape["definitions"][number] & { readonly operation?: string | undefined })[];
}

/**
 * Why an API key of a scope may not send a document; null when it may. Every root field counts: in a fragment, under an
 * alias, under `@skip` or `@include(if: false)`. Source: service description, parts 4 and 7.
 */
export function checkOperationClasses(document: OperationsShape, scope: AdminKeyScope): AdminRefusal | null {
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
    return PANEL_ONLY;
  }
  const changes = classes.has("WRITE") || operations.some(({ operation = "query" }) => operation !== "query");
  if (scope === "READ" && changes) {
    return API_KEY_READ_ONLY;
  }
  return null;
}

/** Null for a field that is not an operation, such as `__typename`. */
function classOf(kind: string, name: string): AdminOperationClass | null {
  const operation = findAdminOperation(name);
  return operation?.kind === kind ? operation.access : null;
}

/** Iterative, and visits each fragment once, so that deep or circular fragments are safe. */
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
