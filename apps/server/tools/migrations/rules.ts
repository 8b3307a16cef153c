import {
  type AlterTableCmd,
  type AlterTableStmt,
  type DoStmt,
  type DropStmt,
  type IndexStmt,
  type Node,
  parse,
  type RangeVar,
} from "libpg-query";
import { type Migration, NO_TRANSACTION, runsWithoutTransaction } from "../../src/platform/database/migrations.ts";

/** First line of a migration that drops what an earlier release used. The reason says since when no process uses it. */
const CONTRACT = /^-- contract: \S/;
const UNKNOWN = "is not known to be safe while the service runs; see apps/server/tools/migrations/rules.ts.";
const IN_A_CONTRACT =
  "a release that still runs uses it, except in a migration whose first line is `-- contract: REASON`.";

/**
 * Finds what would stop or break the service while it runs: statements that keep readers or writers of a table waiting, and
 * changes that the previous release does not expect. Tables that the migration itself creates are exempt. What is not known to be
 * safe is a finding.
 *
 * @param migrations in their order
 */
export async function findUnsafe(migrations: readonly Pick<Migration, "name" | "sql">[]): Promise<string[]> {
  const findings: string[] = [];
  const validated = new Set<string>();
  for (const { name, sql } of migrations) {
    const statements = ((await parse(sql)).stmts ?? []).map(({ stmt }) => stmt as Node);
    findings.push(...problemsOf(sql, statements, validated).map((problem) => `${name}: ${problem}`));
    for (const statement of statements) {
      for (const { subtype, name: constraint = "" } of commandsOf(statement)) {
        if (subtype === "AT_ValidateConstraint") validated.add(constraint);
      }
    }
  }
  return findings;
}

/** The problems of a migration; `validated`: constraints that earlier migrations validated. */
function problemsOf(sql: string, statements: readonly Node[], validated: Set<string>): string[] {
  /** Tables that the statements before created. */
  const created = new Set<string>();
  /** Existing tables that no one reads or writes until the migration ends. */
  const locked = new Set<string>();

  const check = (statement: Node): string[] => {
    if ("CreateSchemaStmt" in statement || "CreateEnumStmt" in statement || "CommentStmt" in statement) return [];
    if ("CreateStmt" in statement) {
      const { relation, if_not_exists: mayExist, inhRelations: parents } = statement.CreateStmt;
      if (parents !== undefined) return [`A parent of ${relation?.relname} ${UNKNOWN}`];
      if (!mayExist) created.add(qualifiedName(relation));
      return [];
    }
    if ("IndexStmt" in statement) return index(statement.IndexStmt);
    if ("DropStmt" in statement) return drop(statement.DropStmt);
    if ("DoStmt" in statement) return batches(statement.DoStmt);
    if ("AlterTableStmt" in statement) return alterTable(statement.AlterTableStmt);
    if ("AlterEnumStmt" in statement && statement.AlterEnumStmt.oldVal === undefined) return [];
    if ("RenameStmt" in statement || "AlterEnumStmt" in statement) {
      return [
        "A rename breaks the release that runs. Add the new name, copy, and drop the old one in a later release.",
      ];
    }
    if ("UpdateStmt" in statement || "DeleteStmt" in statement) {
      return [
        "Writers wait for rows that one transaction changes. Change them in batches, in a DO block that commits.",
      ];
    }
    return [`${Object.keys(statement)[0]} ${UNKNOWN}`];
  };

  const index = ({ relation, concurrent, if_not_exists: isRepeatable, idxname }: IndexStmt): string[] => {
    if (created.has(qualifiedName(relation))) return [];
    if (!concurrent) return [`Create the index ${idxname} CONCURRENTLY: writers of ${relation?.relname} wait for it.`];
    return isRepeatable ? [] : [`Create the index ${idxname} IF NOT EXISTS, so that a failed try can be repeated.`];
  };

  const drop = ({ removeType, objects, concurrent, missing_ok: isRepeatable, behavior }: DropStmt): string[] => {
    const names = (objects ?? []).map(lastName).join(", ");
    if (behavior === "DROP_CASCADE") return [cascade(names)];
    if (removeType === "OBJECT_INDEX") {
      if (!concurrent) return [`Drop the index ${names} CONCURRENTLY: readers and writers of its table wait for it.`];
      return isRepeatable ? [] : [`Drop the index ${names} IF EXISTS, so that a failed try can be repeated.`];
    }
    if (removeType !== "OBJECT_TABLE" && removeType !== "OBJECT_TYPE") return [`Dropping ${removeType} ${UNKNOWN}`];
    return contract(`Do not drop ${names}`);
  };

  const contract = (what: string) => (CONTRACT.test(sql) ? [] : [`${what}: ${IN_A_CONTRACT}`]);

  const alterTable = (statement: AlterTableStmt): string[] => {
    const { relation } = statement;
    const table = relation?.relname ?? "";
    if (created.has(qualifiedName(relation))) return [];
    const commands = commandsOf({ AlterTableStmt: statement });
    // PostgreSQL drops a statement's constraints before its other changes, which then cannot use them as proofs.
    for (const { subtype, name = "" } of commands) if (subtype === "AT_DropConstraint") validated.delete(name);
    return commands.flatMap((each) => {
      if (!UNLOCKED_STATEMENTS.has(each.subtype ?? "")) locked.add(table);
      return command(table, each);
    });
  };

  const command = (table: string, { subtype, name = "", def, behavior }: AlterTableCmd): string[] => {
    const column = `${table}.${name}`;
    if (behavior === "DROP_CASCADE") return [cascade(column)];
    switch (subtype) {
      case "AT_SetRelOptions":
      case "AT_ResetRelOptions":
      case "AT_SetStatistics":
      case "AT_DropNotNull":
      case "AT_DropConstraint":
        return [];
      case "AT_ColumnDefault":
        return def === undefined ? contract(`Do not drop the default of ${column}`) : [];
      case "AT_ValidateConstraint":
        if (statements.length === 1) return [];
        return [`Validate ${name} in its own migration: it reads the whole table while other locks are held.`];
      case "AT_AddColumn":
        return addedColumn(table, def);
      case "AT_DropColumn":
        return contract(`Do not drop ${column}`);
      case "AT_AlterColumnType":
        return [`A new type of ${column} rewrites the table. Add a column, and drop the old one in a later release.`];
      case "AT_SetNotNull": {
        const check = `${table}_${name}_not_null`;
        if (validated.has(check)) return [];
        const add = `CONSTRAINT ${check} CHECK (${name} IS NOT NULL) NOT VALID`;
        return [`SET NOT NULL reads the whole table. Before, add ${add} and validate it, each in its own migration.`];
      }
      case "AT_AddConstraint":
        return addedConstraint(table, def);
      default:
        return [`${subtype} on ${table} ${UNKNOWN}`];
    }
  };

  const problems = statements.flatMap(check);
  const isOutside = statements.some(needsNoTransaction);
  if (isOutside && statements.length > 1) {
    problems.push("A statement that runs outside a transaction needs its own migration.");
  }
  if (isOutside !== runsWithoutTransaction(sql)) {
    const only = "and only of one with CONCURRENTLY or a DO block that commits";
    problems.push(`\`${NO_TRANSACTION}\` is the first line of a migration that runs outside a transaction, ${only}.`);
  }
  if (locked.size > 1) {
    const change = "Change one existing table in a migration: the first lock is held while it waits for the next";
    problems.push(`${change} (${[...locked].join(", ")}).`);
  }
  return problems;
}

const UNLOCKED_STATEMENTS: ReadonlySet<string> = new Set([
  "AT_SetRelOptions",
  "AT_ResetRelOptions",
  "AT_SetStatistics",
  "AT_ValidateConstraint",
]);

function commandsOf(statement: Node): AlterTableCmd[] {
  if (!("AlterTableStmt" in statement)) return [];
  return (statement.AlterTableStmt.cmds ?? []).flatMap((node) => ("AlterTableCmd" in node ? [node.AlterTableCmd] : []));
}

function cascade(what: string): string {
  return `CASCADE drops more than ${what}, which the previous release may use. Drop each in its own statement.`;
}

/** Tables of other schemas, and temporary ones, are not those of the service. */
function qualifiedName(relation: RangeVar | undefined): string {
  const schema = relation?.relpersistence === "t" ? "pg_temp" : (relation?.schemaname ?? "public");
  return `${schema}.${relation?.relname}`;
}

/** A loop that changes rows in batches, and nothing that holds a lock of a table. */
function batches({ args }: DoStmt): string[] {
  const body = (args ?? []).map((node) =>
    "DefElem" in node && node.DefElem.defname === "as" ? lastName(node.DefElem.arg) : "",
  );
  const code = body.join("").replace(/--.*|\/\*[\s\S]*?\*\/|'[^']*'/g, " ");
  const other = /\b(?:ALTER|CREATE|DROP|EXECUTE|LOCK|REINDEX|TRUNCATE)\b/i.exec(code)?.[0];
  if (other !== undefined) return [`A DO block only changes rows, without ${other.toUpperCase()}.`];
  return /\bLOOP\b[\s\S]*\bCOMMIT\b[\s\S]*\bEND\s+LOOP\b/i.test(code)
    ? []
    : ["A DO block must commit after each batch of rows, in its loop."];
}

function needsNoTransaction(statement: Node): boolean {
  if ("IndexStmt" in statement) return statement.IndexStmt.concurrent === true;
  if ("DropStmt" in statement) return statement.DropStmt.concurrent === true;
  return "DoStmt" in statement;
}

const SERIAL = /^(?:small|big)?serial[248]?$/;

function addedColumn(table: string, definition: Node | undefined): string[] {
  if (definition === undefined || !("ColumnDef" in definition)) return [];
  const { colname, typeName, constraints } = definition.ColumnDef;
  const column = `${table}.${colname}`;
  const parts = (constraints ?? []).flatMap((node) => ("Constraint" in node ? [node.Constraint] : []));
  const written = parts.find(({ contype }) => contype === "CONSTR_DEFAULT")?.raw_expr;
  const value = written !== undefined && isNull(written) ? undefined : written;
  const problems: string[] = [];
  if (value === undefined && parts.some(({ contype }) => contype === "CONSTR_NOTNULL")) {
    problems.push(`${column} is NOT NULL without a default, so rows of the previous release are refused.`);
  }
  if ((value !== undefined && !isConstant(value)) || SERIAL.test(lastName(typeName?.names?.at(-1)))) {
    problems.push(
      `The default of ${column} is no constant, which rewrites the table. Add the column without, and fill it in batches.`,
    );
  }
  const harmless = ["CONSTR_NOTNULL", "CONSTR_NULL", "CONSTR_DEFAULT"];
  if (parts.some(({ contype = "" }) => !harmless.includes(contype))) {
    problems.push(
      `${column} has a constraint that is checked at once. Add it in its own migration: NOT VALID, or by a unique index.`,
    );
  }
  return problems;
}

function addedConstraint(table: string, definition: Node | undefined): string[] {
  const constraint = definition !== undefined && "Constraint" in definition ? definition.Constraint : null;
  const name = `${table}.${constraint?.conname}`;
  switch (constraint?.contype) {
    case "CONSTR_CHECK":
    case "CONSTR_FOREIGN":
      return constraint.skip_validation
        ? []
        : [`Add the constraint ${name} NOT VALID, and validate it in its own migration.`];
    case "CONSTR_UNIQUE":
    case "CONSTR_PRIMARY":
      return constraint.indexname
        ? []
        : [`Add the constraint ${name} USING INDEX, with a unique index that was created CONCURRENTLY.`];
    default:
      return [`The constraint ${name} is not known to be safe while the service runs.`];
  }
}

function lastName(node: Node | undefined): string {
  if (node === undefined) return "";
  if ("String" in node) return node.String.sval ?? "";
  if ("TypeName" in node) return lastName(node.TypeName.names?.at(-1));
  return "List" in node ? lastName(node.List.items?.at(-1)) : "";
}

/** A value, or the time, which is the same for the whole statement. */
function isConstant(node: Node): boolean {
  if ("A_Const" in node || "SQLValueFunction" in node) return true;
  if ("A_ArrayExpr" in node) return (node.A_ArrayExpr.elements ?? []).every(isConstant);
  if ("FuncCall" in node) return lastName(node.FuncCall.funcname?.at(-1)) === "now" && node.FuncCall.args === undefined;
  return "TypeCast" in node && node.TypeCast.arg !== undefined && isConstant(node.TypeCast.arg);
}

function isNull(node: Node): boolean {
  if ("A_Const" in node) return node.A_Const.isnull === true;
  return "TypeCast" in node && node.TypeCast.arg !== undefined && isNull(node.TypeCast.arg);
}
