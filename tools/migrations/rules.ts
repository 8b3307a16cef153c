import type { AlterTableCmd, ColumnDef, Constraint, Node, RawStmt } from "libpg-query";
import { parse } from "libpg-query";
import { NO_TRANSACTION } from "../../apps/server/src/platform/migrations.ts";
import type { MigrationFile } from "./migrationFiles.ts";

export interface Finding {
  readonly migration: string;
  readonly problem: string;
}

/** The columns that processes of the previous release read, by table. */
export type ReadColumns = Readonly<Record<string, readonly string[]>>;

/** What earlier migrations proved about a table: columns whose check `IS NOT NULL` was validated. */
interface Proofs {
  readonly checks: Map<string, string>;
  readonly notNull: Set<string>;
}

/**
 * Finds what would stop or break the service while it runs: statements that keep readers or writers of a table waiting, and
 * changes that the previous release does not expect. A table that the migration itself creates has neither. What is not
 * known to be safe is a finding.
 */
export async function findUnsafe(
  /** In their order. */
  migrations: readonly MigrationFile[],
  /** Later migrations are checked. */
  lastUnchecked: string,
  readColumns: ReadColumns,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const proofs: Proofs = { checks: new Map(), notNull: new Set() };
  for (const { name, sql } of migrations) {
    const statements = ((await parse(sql)).stmts ?? []).map(({ stmt }: RawStmt) => stmt as Node);
    if (name > lastUnchecked) {
      const problems = new MigrationCheck(statements, proofs, readColumns).problems(sql);
      findings.push(...problems.map((problem) => ({ migration: name, problem })));
    }
    for (const statement of statements) learn(statement, proofs);
  }
  return findings;
}

function learn(statement: Node, { checks, notNull }: Proofs): void {
  if (!("AlterTableStmt" in statement)) return;
  const table = statement.AlterTableStmt.relation?.relname ?? "";
  for (const command of commandsOf(statement.AlterTableStmt.cmds)) {
    const { subtype, name = "" } = command;
    const constraint = constraintOf(command);
    const column = constraint?.contype === "CONSTR_CHECK" ? checkedColumn(constraint.raw_expr) : null;
    if (subtype === "AT_AddConstraint" && column !== null) checks.set(`${table}.${constraint?.conname}`, column);
    const proven = checks.get(`${table}.${name}`);
    if (subtype === "AT_ValidateConstraint" && proven !== undefined) notNull.add(`${table}.${proven}`);
  }
}

class MigrationCheck {
  readonly #statements: readonly Node[];
  readonly #created: ReadonlySet<string>;
  readonly #proofs: Proofs;
  readonly #readColumns: ReadColumns;
  /** Existing tables that no one reads or writes until the migration ends. */
  readonly #locked = new Set<string>();

  constructor(statements: readonly Node[], proofs: Proofs, readColumns: ReadColumns) {
    this.#statements = statements;
    this.#proofs = proofs;
    this.#readColumns = readColumns;
    this.#created = new Set(
      statements.flatMap((statement) =>
        "CreateStmt" in statement ? [statement.CreateStmt.relation?.relname ?? ""] : [],
      ),
    );
  }

  problems(sql: string): string[] {
    const problems = this.#statements.flatMap((statement) => this.#statement(statement));
    const isOutside = this.#statements.some(needsNoTransaction);
    if (isOutside && this.#statements.length > 1) {
      problems.push("A statement that runs outside a transaction needs its own migration.");
    }
    if (isOutside !== sql.startsWith(`${NO_TRANSACTION}\n`)) {
      const only = "and only of one with CONCURRENTLY or a DO block that commits";
      problems.push(`\`${NO_TRANSACTION}\` is the first line of a migration that runs outside a transaction, ${only}.`);
    }
    if (this.#locked.size > 1) {
      const tables = [...this.#locked].join(", ");
      problems.push(
        `Change one existing table in a migration: the first lock is held while it waits for the next (${tables}).`,
      );
    }
    return problems;
  }

  #statement(statement: Node): string[] {
    if ("CreateStmt" in statement || "CreateEnumStmt" in statement || "CommentStmt" in statement) return [];
    if ("IndexStmt" in statement) {
      const { relation, concurrent, if_not_exists: isRepeatable, idxname } = statement.IndexStmt;
      if (this.#created.has(relation?.relname ?? "")) return [];
      if (!concurrent)
        return [`Create the index ${idxname} CONCURRENTLY: writers of ${relation?.relname} wait for it.`];
      return isRepeatable ? [] : [`Create the index ${idxname} IF NOT EXISTS, so that a failed try can be repeated.`];
    }
    if ("DropStmt" in statement) return this.#drop(statement.DropStmt);
    if ("AlterEnumStmt" in statement) {
      return statement.AlterEnumStmt.oldVal === undefined
        ? []
        : ["A value of an enum is renamed, which the previous release uses."];
    }
    if ("RenameStmt" in statement) {
      const { relation, subname } = statement.RenameStmt;
      const what = [relation?.relname, subname].filter(Boolean).join(".");
      return [
        `${what} is renamed, which the previous release uses by its name. Add the new one, copy, and drop the old one in a later release.`,
      ];
    }
    if ("DoStmt" in statement) {
      return /\bCOMMIT\b/i.test(JSON.stringify(statement)) ? [] : ["A DO block must commit after each batch of rows."];
    }
    if ("AlterTableStmt" in statement) return this.#alterTable(statement.AlterTableStmt);
    if ("CreateFunctionStmt" in statement) {
      return statement.CreateFunctionStmt.replace
        ? ["A function is replaced, which the previous release may use. Create one with another name."]
        : [];
    }
    if ("CreateTrigStmt" in statement) {
      const table = statement.CreateTrigStmt.relation?.relname ?? "";
      if (!this.#created.has(table)) this.#locked.add(table);
      return [];
    }
    if ("UpdateStmt" in statement || "DeleteStmt" in statement) {
      return [
        "Rows are changed in one transaction, and writers wait for it. Change them in batches, in a DO block that commits.",
      ];
    }
    return [
      `${Object.keys(statement)[0]} is not known to be safe while the service runs; see tools/migrations/rules.ts.`,
    ];
  }

  #drop({
    removeType,
    objects,
    concurrent,
    missing_ok: isRepeatable,
  }: {
    removeType?: string;
    objects?: Node[];
    concurrent?: boolean;
    missing_ok?: boolean;
  }): string[] {
    const names = (objects ?? []).map(lastName);
    if (removeType === "OBJECT_INDEX") {
      if (!concurrent)
        return [`Drop the index ${names.join(", ")} CONCURRENTLY: readers and writers of its table wait for it.`];
      return isRepeatable
        ? []
        : [`Drop the index ${names.join(", ")} IF EXISTS, so that a failed try can be repeated.`];
    }
    if (removeType === "OBJECT_TABLE") {
      return names
        .filter((table) => table in this.#readColumns)
        .map(
          (table) => `The previous release reads the table ${table}. Drop it in the release after the one that stops.`,
        );
    }
    return removeType === "OBJECT_TYPE"
      ? []
      : [`Dropping ${removeType} is not known to be safe while the service runs.`];
  }

  #alterTable({ relation, cmds }: { relation?: { relname?: string }; cmds?: Node[] }): string[] {
    const table = relation?.relname ?? "";
    if (this.#created.has(table)) return [];
    return commandsOf(cmds).flatMap((command) => {
      if (!LOCKS_NO_ONE.has(command.subtype ?? "")) this.#locked.add(table);
      return this.#command(table, command);
    });
  }

  #command(table: string, command: AlterTableCmd): string[] {
    const { subtype = "", name = "" } = command;
    switch (subtype) {
      case "AT_SetRelOptions":
      case "AT_ResetRelOptions":
      case "AT_SetStatistics":
      case "AT_ColumnDefault":
      case "AT_DropNotNull":
      case "AT_DropConstraint":
        return [];
      case "AT_ValidateConstraint":
        return this.#statements.length === 1
          ? []
          : [`Validate ${name} in its own migration: it reads the whole table while other locks are held.`];
      case "AT_AddColumn":
        return addedColumn(table, (command.def as { ColumnDef: ColumnDef }).ColumnDef);
      case "AT_DropColumn":
        return this.#readColumns[table]?.includes(name)
          ? [
              `The previous release reads ${table}.${name}. Give the field @ignore in this release, and drop the column in the next.`,
            ]
          : [];
      case "AT_AlterColumnType":
        return [
          `The type of ${table}.${name} changes, which rewrites the table. Add a column of the new type, and drop the old one in a later release.`,
        ];
      case "AT_SetNotNull":
        return this.#proofs.notNull.has(`${table}.${name}`)
          ? []
          : [
              `${table}.${name} becomes NOT NULL, which reads the whole table. Before, add CHECK (${name} IS NOT NULL) NOT VALID and validate it, each in its own migration.`,
            ];
      case "AT_AddConstraint":
        return addedConstraint(table, constraintOf(command));
      default:
        return [
          `${subtype} on ${table} is not known to be safe while the service runs; see tools/migrations/rules.ts.`,
        ];
    }
  }
}

const LOCKS_NO_ONE: ReadonlySet<string> = new Set([
  "AT_SetRelOptions",
  "AT_ResetRelOptions",
  "AT_SetStatistics",
  "AT_ValidateConstraint",
]);

function addedColumn(table: string, { colname, typeName, constraints }: ColumnDef): string[] {
  const column = `${table}.${colname}`;
  const parts = (constraints ?? []).flatMap((node) => ("Constraint" in node ? [node.Constraint] : []));
  const value = parts.find(({ contype }) => contype === "CONSTR_DEFAULT")?.raw_expr;
  const problems: string[] = [];
  if (value === undefined && parts.some(({ contype }) => contype === "CONSTR_NOTNULL")) {
    problems.push(`${column} is NOT NULL without a default, so rows of the previous release are refused.`);
  }
  if ((value !== undefined && !isConstant(value)) || /serial/.test(lastName(typeName?.names?.at(-1)))) {
    problems.push(
      `The default of ${column} is no constant, which rewrites the table. Add the column without, and fill it in batches.`,
    );
  }
  const others = parts.filter(
    ({ contype = "" }) => !["CONSTR_NOTNULL", "CONSTR_NULL", "CONSTR_DEFAULT"].includes(contype),
  );
  if (others.length > 0) {
    problems.push(
      `${column} has a constraint that is checked at once. Add it in its own migration: NOT VALID, or by a unique index.`,
    );
  }
  return problems;
}

function addedConstraint(table: string, constraint: Constraint | null): string[] {
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

/** A value, or the time, which is the same for the whole statement. */
function isConstant(node: Node): boolean {
  if ("A_Const" in node || "SQLValueFunction" in node) return true;
  return "TypeCast" in node && node.TypeCast.arg !== undefined && isConstant(node.TypeCast.arg);
}

function needsNoTransaction(statement: Node): boolean {
  if ("IndexStmt" in statement) return statement.IndexStmt.concurrent === true;
  if ("DropStmt" in statement) return statement.DropStmt.concurrent === true;
  return "DoStmt" in statement;
}

function commandsOf(nodes: readonly Node[] | undefined): AlterTableCmd[] {
  return (nodes ?? []).flatMap((node) => ("AlterTableCmd" in node ? [node.AlterTableCmd] : []));
}

function constraintOf({ def }: AlterTableCmd): Constraint | null {
  return def !== undefined && "Constraint" in def ? def.Constraint : null;
}

/** The column of a check `column IS NOT NULL`. */
function checkedColumn(expression: Node | undefined): string | null {
  if (expression === undefined || !("NullTest" in expression)) return null;
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== "IS_NOT_NULL" || arg === undefined || !("ColumnRef" in arg)) return null;
  return lastName(arg.ColumnRef.fields?.at(-1));
}

function lastName(node: Node | undefined): string {
  if (node === undefined) return "";
  if ("String" in node) return node.String.sval ?? "";
  return "List" in node ? lastName(node.List.items?.at(-1)) : "";
}
