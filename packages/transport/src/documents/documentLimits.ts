import { LIMITS } from "@social-connect/contract";
import { badUserInput, type Refusal } from "@social-connect/domain";

/** The parts of a parsed GraphQL document that the limits use; graphql-js's DocumentNode is one. */
export interface DocumentShape {
  readonly definitions: readonly DefinitionShape[];
}

export interface DefinitionShape {
  readonly kind: string;
  readonly name?: { readonly value: string } | undefined;
  readonly selectionSet?: SelectionSetShape | undefined;
}

export interface SelectionSetShape {
  readonly selections: readonly SelectionShape[];
}

export interface SelectionShape {
  readonly kind: string;
  readonly alias?: { readonly value: string } | undefined;
  readonly name?: { readonly value: string } | undefined;
  readonly selectionSet?: SelectionSetShape | undefined;
}

/** Counts stop growing here: a few fragments that each spread the next one twice would overflow any number. */
const SATURATION = 1_000_000;
const NAMES = { depth: "Query depth", aliases: "Alias count", cost: "Query cost" } as const;

interface Totals {
  /** Fields at its own level, and fields anywhere below them. */
  readonly level: number;
  readonly below: number;
  readonly aliases: number;
  readonly depth: number;
}

interface Tally {
  level: number;
  below: number;
  aliases: number;
  depth: number;
}

/** A fragment spread, and the number of fields above it. */
interface Spread {
  readonly fragment: string;
  readonly under: number;
}

const NOTHING: Totals = { level: 0, below: 0, aliases: 0, depth: 0 };
const ENDLESS: Totals = { level: SATURATION, below: SATURATION, aliases: SATURATION, depth: SATURATION };

/**
 * What a document costs: 10 for each root field and 1 for each nested one, the depth in fields (a root field is at depth
 * 1), the aliases. Fragments count at each spread, inline fragments as their content. Nothing is exempt:
 * `__typename` counts like any field, a field under `@skip` or `@include(if: false)` too, a field asked for twice counts
 * twice, and an alias equal to its field's name is an alias. With several operations the largest numbers of any are given.
 *
 * Linear in the size of the document: each fragment is walked once and its totals are cached. Neither deep nesting nor
 * long chains of fragments use the call stack, so no input overflows it. Circular fragments count as endless; a spread
 * of a fragment that does not exist counts as nothing, since validation refuses it.
 * Source: service description, part 8.
 */
export function measureDocument(document: DocumentShape) {
  const fragments = new Map<string, SelectionSetShape>();
  const operations: SelectionSetShape[] = [];
  for (const { kind, name, selectionSet } of document.definitions) {
    if (selectionSet === undefined) continue;
    if (kind === "OperationDefinition") operations.push(selectionSet);
    else if (kind === "FragmentDefinition" && name !== undefined) fragments.set(name.value, selectionSet);
  }
  const totals = fragmentTotals(fragments);
  const measure = { operations: operations.length, cost: 0, depth: 0, aliases: 0 };
  for (const operation of operations) {
    const { tally, spreads } = walk(operation);
    const { level, below, aliases, depth } = withSpreads(tally, spreads, totals);
    measure.cost = Math.max(measure.cost, saturate(level * LIMITS.costOfRootField + below * LIMITS.costOfNestedField));
    measure.depth = Math.max(measure.depth, depth);
    measure.aliases = Math.max(measure.aliases, aliases);
  }
  return measure;
}

export type DocumentMeasure = ReturnType<typeof measureDocument>;

/**
 * BAD_USER_INPUT when a document does not contain exactly one operation, or exceeds the limits of the consumer API.
 * Source: service description, parts 4, 7 and 8.
 */
export function checkDocumentLimits(document: DocumentShape): Refusal | null {
  return checkMeasure(measureDocument(document), LIMITS);
}

/** The message names the limit and, unless the document is circular, by how much it is exceeded. */
export function checkMeasure(measure: DocumentMeasure, limits: Omit<DocumentMeasure, "operations">): Refusal | null {
  if (measure.operations !== 1) return badUserInput("A request must contain exactly one operation.");
  for (const what of ["depth", "aliases", "cost"] as const) {
    if (measure[what] <= limits[what]) continue;
    const found = measure[what] < SATURATION ? ` of ${measure[what]}` : "";
    return badUserInput(`${NAMES[what]}${found} exceeds the limit of ${limits[what]}.`);
  }
  return null;
}

/** Adds up one definition without following its spreads, iteratively. */
function walk(root: SelectionSetShape): { tally: Tally; spreads: Spread[] } {
  const tally: Tally = { ...NOTHING };
  const spreads: Spread[] = [];
  const open = [{ set: root, under: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { set, under } = next;
    for (const { kind, alias, name, selectionSet } of set.selections) {
      if (kind === "FragmentSpread") {
        if (name !== undefined) spreads.push({ fragment: name.value, under });
        continue;
      }
      const isField = kind === "Field";
      if (isField) {
        if (under === 0) tally.level += 1;
        else tally.below += 1;
        if (alias !== undefined) tally.aliases += 1;
        tally.depth = Math.max(tally.depth, under + 1);
      }
      if (selectionSet !== undefined) open.push({ set: selectionSet, under: isField ? under + 1 : under });
    }
  }
  return { tally, spreads };
}

/** The totals of every fragment, each after those it spreads; the members of a circle are endless. */
function fragmentTotals(fragments: ReadonlyMap<string, SelectionSetShape>): ReadonlyMap<string, Totals> {
  const totals = new Map<string, Totals>();
  const walked = new Map<string, { tally: Tally; spreads: Spread[] }>();
  for (const [name, set] of fragments) walked.set(name, walk(set));

  const entered = new Set<string>();
  for (const start of walked.keys()) {
    const path = [{ name: start, next: 0 }];
    while (path.length > 0) {
      const at = path[path.length - 1];
      const definition = at && walked.get(at.name);
      if (at === undefined || definition === undefined || totals.has(at.name)) {
        path.pop();
        continue;
      }
      entered.add(at.name);
      const spread = definition.spreads[at.next];
      if (spread === undefined) {
        totals.set(at.name, withSpreads(definition.tally, definition.spreads, totals));
        path.pop();
      } else {
        at.next += 1;
        if (totals.has(spread.fragment)) continue;
        // Entered and not yet finished: it is on the path, so the spread closes a circle.
        if (entered.has(spread.fragment)) totals.set(spread.fragment, ENDLESS);
        else path.push({ name: spread.fragment, next: 0 });
      }
    }
  }
  return totals;
}

function withSpreads(tally: Tally, spreads: readonly Spread[], totals: ReadonlyMap<string, Totals>): Totals {
  let { level, below, aliases, depth } = tally;
  for (const { fragment, under } of spreads) {
    const inside = totals.get(fragment) ?? NOTHING;
    if (under === 0) {
      level = saturate(level + inside.level);
      below = saturate(below + inside.below);
    } else {
      below = saturate(below + inside.level + inside.below);
    }
    aliases = saturate(aliases + inside.aliases);
    if (inside.depth > 0) depth = Math.max(depth, saturate(under + inside.depth));
  }
  return { level, below, aliases, depth };
}

function saturate(count: number): number {
  return Math.min(count, SATURATION);
}
