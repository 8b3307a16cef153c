import type { Node } from "libpg-query";

const SERIAL = /^(?:small|big)?serial[248]?$/;

export function addedColumn(table: string, definition: Node | undefined): string[] {
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

export function addedConstraint(table: string, definition: Node | undefined): string[] {
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

export function lastName(node: Node | undefined): string {
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
