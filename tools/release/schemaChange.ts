import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  GraphQLError,
  type GraphQLSchema,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";

/** How much of a release a change is, from nothing to what breaks a caller. */
export const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

export interface SchemaChange {
  readonly bump: Bump;
  /** The change as text; for an addition, its first lines. */
  readonly reasons: readonly string[];
}

/** The larger of two. */
export function larger(one: Bump, other: Bump): Bump {
  return BUMPS.indexOf(one) >= BUMPS.indexOf(other) ? one : other;
}

/**
 * The effect of a schema change on callers: major if a valid request or response becomes invalid, minor for additions
 * (including enum values, which callers treat as data), patch for descriptions, none without a change.
 */
export function judgeSchemaChange(released: string, current: string): SchemaChange {
  const [before, after] = [build(released), build(current)];
  const breaking = findBreakingChanges(before, after).map(({ description }) => description);
  if (breaking.length > 0) return { bump: "major", reasons: breaking };
  const [shapeBefore, shapeAfter] = [shapeOf(before), shapeOf(after)];
  if (shapeBefore !== shapeAfter) {
    const dangerous = findDangerousChanges(before, after).map(({ description }) => description);
    return { bump: "minor", reasons: [...dangerous, ...addedLines(shapeBefore, shapeAfter)] };
  }
  const isSame = printSchema(lexicographicSortSchema(before)) === printSchema(lexicographicSortSchema(after));
  return isSame ? { bump: "none", reasons: [] } : { bump: "patch", reasons: ["Descriptions changed."] };
}

function build(text: string): GraphQLSchema {
  try {
    return buildSchema(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw new Error(`the schema cannot be read: ${error.message}`);
    throw error;
  }
}

/** The schema without its words and without the order of things, neither of which a caller depends on. */
function shapeOf(schema: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)));
  const wordless = visit(document, {
    enter: (node) => ("description" in node && node.description ? { ...node, description: undefined } : undefined),
  });
  return print(wordless);
}

function addedLines(before: string, after: string): readonly string[] {
  const known = new Set(membersOf(before));
  return membersOf(after)
    .filter((member) => !known.has(member))
    .map((member) => `New: ${member}`);
}

/** Each line of the printed schema with its type. */
function membersOf(printed: string): readonly string[] {
  let owner = "";
  return printed.split("\n").flatMap((line) => {
    if (!/\w/.test(line)) return [];
    if (/^\s/.test(line)) return [`${owner}.${line.trim()}`];
    const head = line.replace(/ \{$/, "");
    owner = head.split(" ")[1] ?? "";
    return [head];
  });
}
