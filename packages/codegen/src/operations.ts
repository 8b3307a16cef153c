import type { GraphQLField, GraphQLSchema } from "graphql";

/** An operation with its field of the schema. */
export interface Operation {
  readonly name: string;
  readonly kind: "query" | "mutation";
  readonly field: GraphQLField<unknown, unknown>;
}

/** The configuration of a plugin: the operations that it generates code for. */
export interface OperationsConfig {
  readonly operations: Readonly<Record<string, Pick<Operation, "kind">>>;
}

export function operationsOf(schema: GraphQLSchema, { operations }: OperationsConfig): readonly Operation[] {
  return Object.entries(operations).map(([name, { kind }]) => {
    const root = kind === "query" ? schema.getQueryType() : schema.getMutationType();
    const field = root?.getFields()[name];
    if (field === undefined) throw new Error(`The schema has no ${kind} ${name}, which operations.ts lists.`);
    return { name, kind, field };
  });
}
