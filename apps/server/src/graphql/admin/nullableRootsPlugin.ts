import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";

declare global {
  // biome-ignore lint/style/noNamespace: Pothos names its plugins in this one
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      nullableRoots: NullableRootsPlugin<Types>;
    }
  }
}

/**
 * Makes every root field nullable. The mutations of a document run in order: with nullable roots an error sets only its
 * own field to null, so `data` shows which changes were applied and `errors` which were not.
 */
export class NullableRootsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const isRoot = field.kind === "Query" || field.kind === "Mutation";
    return isRoot ? { ...field, type: { ...field.type, nullable: true } } : field;
  }
}

SchemaBuilder.registerPlugin("nullableRoots", NullableRootsPlugin);
