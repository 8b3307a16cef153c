import { type Node, parse } from "libpg-query";

/** The column that is in the key of every table that grows. */
const COLUMN = "application_id";

/** A mention of a table in a statement. It is bound if it can only match rows of the application that a parameter names. */
interface Mention {
  readonly table: string;
  readonly alias: string;
  isBound: boolean;
}

/** A statement or subquery, whose conditions can name the tables of the ones around it. */
interface Scope {
  readonly mentions: Mention[];
  readonly outer: Scope | null;
}

/**
 * The growing tables of a statement whose rows no parameter limits to one application. On a distributed database
 * such a statement asks every shard, and cannot lock rows.
 */
export async function unboundTables(text: string, growing: ReadonlySet<string>): Promise<string[]> {
  const reader = new StatementReader(growing);
  for (const { stmt } of (await parse(text)).stmts ?? []) reader.read(stmt, null);
  return reader.unbound();
}

class StatementReader {
  readonly #growing: ReadonlySet<string>;
  readonly #mentions: Mention[] = [];
  /** Mentions whose columns are equal: if one is bound, the other is too. */
  readonly #equal: (readonly [Mention, Mention])[] = [];

  constructor(growing: ReadonlySet<string>) {
    this.#growing = growing;
  }

  unbound(): string[] {
    for (let changed = true; changed; ) {
      changed = false;
      for (const pair of this.#equal) {
        if (pair[0].isBound === pair[1].isBound) continue;
        for (const mention of pair) mention.isBound = true;
        changed = true;
      }
    }
    return this.#mentions.filter(({ isBound }) => !isBound).map(({ table }) => table);
  }

  read(value: unknown, scope: Scope | null): void {
    if (Array.isArray(value)) for (const each of value) this.read(each, scope);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [kind, child] of Object.entries(value)) this.#readChild(kind, child, scope);
  }

  #readChild(kind: string, child: unknown, scope: Scope | null): void {
    if (kind === "SelectStmt" || kind === "UpdateStmt" || kind === "DeleteStmt") {
      this.#readTables(child, { mentions: [], outer: scope });
    } else if (kind === "InsertStmt") {
      this.#readInsert(child as Insert, scope);
    } else if (kind === "BoolExpr" && (child as { boolop: string }).boolop !== "AND_EXPR") {
      // A row has to meet only one of several conditions, so they bind nothing outside of their subqueries.
      this.read(child, scope && { mentions: [], outer: null });
    } else {
      if (kind === "A_Expr" && scope !== null) this.#compare(child as Comparison, scope);
      this.read(child, scope);
    }
  }

  #readInsert({ relation, ...rest }: Insert, scope: Scope | null): void {
    const isBound = (rest.cols ?? []).some(({ ResTarget }) => ResTarget.name === COLUMN);
    this.#mention(relation, { mentions: [], outer: null }, isBound);
    this.read(rest, scope);
  }

  /** First the tables, because conditions refer to them, also in the list of columns. */
  #readTables(statement: unknown, scope: Scope): void {
    const { relation, fromClause, usingClause, ...rest } = statement as Record<string, unknown>;
    if (relation !== undefined) this.#mention(relation as RangeVar, scope, false);
    this.#readFrom([fromClause, usingClause], scope);
    this.read([rest, joinConditions([fromClause, usingClause])], scope);
  }

  #readFrom(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const each of value) this.#readFrom(each, scope);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const { RangeVar, JoinExpr } = value as { readonly RangeVar?: RangeVar; readonly JoinExpr?: Join };
    if (RangeVar !== undefined) this.#mention(RangeVar, scope, false);
    else if (JoinExpr !== undefined) this.#readFrom([JoinExpr.larg, JoinExpr.rarg], scope);
    else this.read(value, scope);
  }

  #mention({ relname, alias }: RangeVar, scope: Scope, isBound: boolean): void {
    if (!this.#growing.has(relname)) return;
    const mention = { table: relname, alias: alias?.aliasname ?? relname, isBound };
    scope.mentions.push(mention);
    this.#mentions.push(mention);
  }

  #compare({ kind, name, lexpr, rexpr }: Comparison, scope: Scope): void {
    const isEquality = (kind === "AEXPR_OP" && name?.[0]?.String?.sval === "=") || kind === "AEXPR_IN";
    if (!isEquality) return;
    const [left, right] = [partsOf(lexpr), partsOf(rexpr)];
    for (const [index, part] of left.entries()) {
      const other = right[index] ?? right[0];
      for (const [column, value] of [
        [part, other],
        [other, part],
      ] as const) {
        for (const mention of mentionsOf(column, scope)) {
          if (isParameter(value)) mention.isBound = true;
          for (const equal of mentionsOf(value, scope)) this.#equal.push([mention, equal]);
        }
      }
    }
  }
}

interface RangeVar {
  readonly relname: string;
  readonly alias?: { readonly aliasname: string };
}

interface Insert {
  readonly relation: RangeVar;
  readonly cols?: { readonly ResTarget: { readonly name: string } }[];
}

interface Join {
  readonly larg?: Node;
  readonly rarg?: Node;
  readonly quals?: Node;
}

interface Comparison {
  readonly kind: string;
  readonly name?: { readonly String?: { readonly sval: string } }[];
  readonly lexpr?: Node;
  readonly rexpr?: Node;
}

function joinConditions(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(joinConditions);
  if (typeof value !== "object" || value === null || !("JoinExpr" in value)) return [];
  const { larg, rarg, quals } = (value as { JoinExpr: Join }).JoinExpr;
  return [quals, ...joinConditions([larg, rarg])];
}

/** The columns or values of one side of a comparison; a row has several. */
function partsOf(node: Node | undefined): (Node | undefined)[] {
  if (node === undefined) return [];
  if ("RowExpr" in node) return node.RowExpr.args ?? [];
  // A list of one value is an equality.
  if ("List" in node) return node.List.items?.length === 1 ? partsOf(node.List.items[0]) : [];
  return [node];
}

/** Also a constant: Prisma writes `IN (NULL)` for a related row that does not exist. */
function isParameter(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if ("A_Const" in node) return true;
  return "ParamRef" in node || ("TypeCast" in node && isParameter(node.TypeCast.arg));
}

/** The tables whose distribution column an expression is. */
function mentionsOf(node: Node | undefined, scope: Scope): Mention[] {
  if (node === undefined || !("ColumnRef" in node)) return [];
  const names = (node.ColumnRef.fields ?? []).map((field) => ("String" in field ? field.String.sval : ""));
  if (names.at(-1) !== COLUMN) return [];
  const qualifier = names.at(-2);
  if (qualifier === undefined) return scope.mentions;
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.mentions.find(({ alias }) => alias === qualifier);
    if (found !== undefined) return [found];
  }
  return [];
}
