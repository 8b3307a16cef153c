import { assertObjectType, isNonNullType } from "graphql";
import { CONSUMER_SCHEMA } from "../wire/apis.ts";

/** The fields of a post that are null once it expired, when `reason` is EXPIRED. */
export const CONTENT_FIELDS: readonly string[] = Object.values(
  assertObjectType(CONSUMER_SCHEMA.getType("ContentItem")).getFields(),
).flatMap(({ name, type }) => (isNonNullType(type) || name === "reason" ? [] : [name]));
