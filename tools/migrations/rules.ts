import type { AlterTableCmd, AlterTableStmt, ColumnDef, DoStmt, DropStmt, IndexStmt, Node, RawStmt } from "libpg-query";
import { parse } from "libpg-query";
import {
  concurrentIndexOf,
  NO_TRANSACTION,
  runsWithoutTransaction,
} from "../../apps/server/src/platform/migrations.ts";
import { addedColumn, addedConstraint } from "./additions.ts";
import type { MigrationFile } from "./migrationFiles.ts";
import { checkedColumn, commandsOf, constraintOf, lastName, qualifiedName, tableOfTrigger } from "./nodes.ts";

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
  /** Triggers and functions that exist only for statements of the previous release. */
  needed: readonly string[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const proofs: Proofs = { checks: new Map(), notNull: new Set() };
  for (const { name, sql } of migrations) {
    const statements = ((await parse(sql)).stmts ?? []).map(({ stmt }: RawStmt) => stmt as Node);
    if (name > lastUnchecked) {
      const problems = new MigrationCheck(statements, proofs, readColumns, needed).problems(sql);
      findings.push(...problems.map((problem) => ({ migration: name, problem })));
    }
    for (const statement of statements) learn(statement, proofs);
  }
  return findings;
}

function learn(statement: Node, { checks, notNull }: Proofs): void {
  if (!("AlterTableStmt" in statement)) return;
  const { relation, cmds } = statement.AlterTableStmt;
  const table = relation?.relname ?? "";
  forgetDropped(table, cmds, { checks, notNull });
  for (const command of commandsOf(cmds)) {
    const { subtype, name = "" } = command;
    const constraint = constraintOf(command);
    const column = constraint?.contype === "CONSTR_CHECK" ? checkedColumn(constraint.raw_expr) : null;
    if (subtype === "AT_AddConstraint" && column !== null) checks.set(`${table}.${constraint?.conname}`, column);
    const proven = checks.get(`${table}.${name}`);
    if (subtype === "AT_ValidateConstraint" && proven !== undefined) notNull.add(`${table}.${proven}`);
  }
}

/** A dropped check proves nothing. */
function forgetDropped(table: string, cmds: readonly Node[] | undefined, { checks, notNull }: Proofs): void {
  for (const { subtype, name = "" } of commandsOf(cmds)) {
    if (subtype === "AT_DropConstraint") notNull.delete(`${table}.${checks.get(`${table}.${name}`)}`);
    if (subtype === "AT_DropColumn") notNull.delete(`${table}.${name}`);
  }
}

class MigrationCheck {
  readonly #statements: readonly Node[];
  /** Tables that the statements before created. */
  readonly #created = new Set<string>();
  readonly #proofs: Proofs;
  readonly #readColumns: ReadColumns;
  readonly #needed: readonly string[];
  /** Existing tables that no one reads or writes until the migration ends. */
  readonly #locked = new Set<string>();

  constructor(statements: readonly Node[], proofs: Proofs, readColumns: ReadColumns, needed: readonly string[]) {
    this.#statements = statements;
    this.#proofs = proofs;
    this.#readColumns = readColumns;
    this.#needed = needed;
  }

  problems(sql: string): string[] {
    const problems = this.#statements.flatMap((statement) => this.#statement(statement, sql));
    const isOutside = this.#statements.some(needsNoTransaction);
    if (isOutside && this.#statements.length > 1) {
      problems.push("A statement that runs outside a transaction needs its own migration.");
    }
    if (isOutside !== runsWithoutTransaction(sql)) {
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

  #statement(statement: Node, sql: string): string[] {
    if ("CreateEnumStmt" in statement || "CommentStmt" in statement) return [];
    if ("CreateStmt" in statement) {
      const { relation, if_not_exists: mayExist, inhRelations: parents } = statement.CreateStmt;
      if (parents !== undefined) return [`${relation?.relname} has a parent, which is not known to be safe.`];
      if (!mayExist) this.#created.add(qualifiedName(relation));
      return [];
    }
    if ("IndexStmt" in statement) return this.#index(statement.IndexStmt, sql);
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
      return batches(statement.DoStmt);
    }
    if ("AlterTableStmt" in statement) return this.#alterTable(statement.AlterTableStmt);
    if ("CreateFunctionStmt" in statement) {
      return statement.CreateFunctionStmt.replace
        ? ["A function is replaced, which the previous release may use. Create one with another name."]
        : [];
    }
    if ("CreateTrigStmt" in statement) {
      const { relation, replace: isReplaced } = statement.CreateTrigStmt;
      if (this.#created.has(qualifiedName(relation))) return [];
      this.#locked.add(relation?.relname ?? "");
      return isReplaced ? ["A trigger is replaced, which the previous release may need. Create another one."] : [];
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

  #index({ relation, concurrent, if_not_exists: isRepeatable, idxname }: IndexStmt, sql: string): string[] {
    if (this.#created.has(qualifiedName(relation))) return [];
    if (!concurrent) return [`Create the index ${idxname} CONCURRENTLY: writers of ${relation?.relname} wait for it.`];
    if (!isRepeatable) return [`Create the index ${idxname} IF NOT EXISTS, so that a failed try can be repeated.`];
    const written = concurrentIndexOf(sql);
    const name = written?.startsWith('"') ? written.slice(1, -1) : written?.toLowerCase();
    return name === idxname
      ? []
      : [
          `Write the words before the name of the index ${idxname} without comments: a failed try is found by the name.`,
        ];
  }

  #drop({ removeType, objects, concurrent, missing_ok: isRepeatable, behavior }: DropStmt): string[] {
    const names = (objects ?? []).map(lastName);
    if (behavior === "DROP_CASCADE") return [cascade(names.join(", "))];
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
    if (removeType === "OBJECT_TRIGGER" || removeType === "OBJECT_FUNCTION") {
      if (removeType === "OBJECT_TRIGGER") for (const object of objects ?? []) this.#locked.add(tableOfTrigger(object));
      const needed = names.find((name) => this.#needed.includes(name));
      if (needed !== undefined)
        return [
          `The previous release needs ${needed}. Drop it in the release that takes it off the list of previousRelease.ts.`,
        ];
      return isRepeatable ? [] : [`Drop ${names.join(", ")} IF EXISTS: \`distribute\` drops it, too.`];
    }
    return removeType === "OBJECT_TYPE"
      ? []
      : [`Dropping ${removeType} is not known to be safe while the service runs.`];
  }

  #alterTable(statement: AlterTableStmt): string[] {
    const { relation, cmds } = statement;
    const table = relation?.relname ?? "";
    if (this.#created.has(qualifiedName(relation))) return [];
    // PostgreSQL drops a statement's constraints before its other changes, which then cannot use them as proofs.
    forgetDropped(table, cmds, this.#proofs);
    return commandsOf(cmds).flatMap((command) => {
      if (!LOCKS_NO_ONE.has(command.subtype ?? "")) this.#locked.add(table);
      return this.#command(table, command);
    });
  }

  #command(table: string, command: AlterTableCmd): string[] {
    const { subtype = "", name = "", def, behavior } = command;
    if (behavior === "DROP_CASCADE") return [cascade(`${table}.${name}`)];
    switch (subtype) {
      case "AT_SetRelOptions":
      case "AT_ResetRelOptions":
      case "AT_SetStatistics":
      case "AT_DropNotNull":
      case "AT_DropConstraint":
        return [];
      case "AT_ColumnDefault":
        return def !== undefined || this.#readColumns[table]?.includes(name)
          ? []
          : [
              `The previous release does not write ${table}.${name}, so it needs the default. Drop the default in the next release.`,
            ];
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

function cascade(what: string): string {
  return `CASCADE drops more than ${what}, which the previous release may use. Drop each in its own statement.`;
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
