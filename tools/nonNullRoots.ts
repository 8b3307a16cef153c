import { readFileSync } from "node:fs";
import type { FieldDefinitionNode, ObjectTypeDefinitionNode } from "graphql";
import { Kind, parse, print, visit } from "graphql";

const ROOTS = ["Query", "Mutation"];

/**
 * A schema as a client sees it that throws the first error of an answer: a root field of the admin API is null only beside
 * the error that says why, so without one it is there. `mayBeNull` names root fields that are null for another reason.
 */
export function nonNullRoots(path: string, mayBeNull: readonly string[] = []): string {
  const withValue = (field: FieldDefinitionNode): FieldDefinitionNode => {
    const { type } = field;
    const keeps = type.kind === Kind.NON_NULL_TYPE || mayBeNull.includes(field.name.value);
    return keeps ? field : { ...field, type: { kind: Kind.NON_NULL_TYPE, type } };
  };
  const document = visit(parse(readFileSync(path, "utf8")), {
    ObjectTypeDefinition: (node): ObjectTypeDefinitionNode | undefined =>
      ROOTS.includes(node.name.value) ? { ...node, fields: (node.fields ?? []).map(withValue) } : undefined,
  });
  return print(document);
}
