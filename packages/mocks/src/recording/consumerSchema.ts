import { buildSchema, getNamedType, isEnumType, isObjectType } from "graphql";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { lazy } from "../util/lazy.ts";

export const consumerSchema = lazy(() => buildSchema(CONSUMER_SCHEMA_TEXT));

export const enumValues = lazy((): ReadonlySet<string> => {
  const types = Object.values(consumerSchema().getTypeMap()).filter(isEnumType);
  return new Set(types.flatMap((type) => type.getValues().map(({ name }) => name)));
});

/** Fields that are an enum in every type that has them, and fields with codes. */
export const enumFields = lazy((): ReadonlySet<string> => {
  const isEnum = new Map<string, boolean>();
  for (const type of Object.values(consumerSchema().getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      isEnum.set(field.name, isEnumType(getNamedType(field.type)) && isEnum.get(field.name) !== false);
    }
  }
  const codes = ["reason", "resultCode", "errorCode", "incompleteReason"];
  return new Set([...codes, ...[...isEnum].flatMap(([name, is]) => (is ? [name] : []))]);
});
