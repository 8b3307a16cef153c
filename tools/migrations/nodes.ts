import type { AlterTableCmd, Constraint, Node, RangeVar } from "libpg-query";

export function commandsOf(nodes: readonly Node[] | undefined): AlterTableCmd[] {
  return (nodes ?? []).flatMap((node) => ("AlterTableCmd" in node ? [node.AlterTableCmd] : []));
}

export function constraintOf({ def }: AlterTableCmd): Constraint | null {
  return def !== undefined && "Constraint" in def ? def.Constraint : null;
}

/** The column of a check `column IS NOT NULL`. */
export function checkedColumn(expression: Node | undefined): string | null {
  if (expression === undefined || !("NullTest" in expression)) return null;
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== "IS_NOT_NULL" || arg === undefined || !("ColumnRef" in arg)) return null;
  return lastName(arg.ColumnRef.fields?.at(-1));
}

export function lastName(node: Node | undefined): string {
  if (node === undefined) return "";
  if ("String" in node) return node.String.sval ?? "";
  if ("TypeName" in node) return lastName(node.TypeName.names?.at(-1));
  if ("ObjectWithArgs" in node) return lastName(node.ObjectWithArgs.objname?.at(-1));
  return "List" in node ? lastName(node.List.items?.at(-1)) : "";
}

/** The name of a dropped trigger follows that of its table. */
export function tableOfTrigger(node: Node): string {
  return "List" in node ? lastName(node.List.items?.at(-2)) : "";
}

/** Tables of other schemas, and temporary ones, are not those of the service. */
export function qualifiedName(relation: RangeVar | undefined): string {
  const schema = relation?.relpersistence === "t" ? "pg_temp" : (relation?.schemaname ?? "public");
  return `${schema}.${relation?.relname}`;
}
