import { readDateTime, readDecimalCount, writeDateTime } from "@social-connect/transport";
import { GraphQLScalarType, Kind } from "graphql";

export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: "DateTime",
  description:
    "A date and time in ISO 8601 with an offset. Answers are in UTC with milliseconds, e.g. `2026-01-31T08:15:30.000Z`.",
  serialize: writeDateTime,
  parseValue: readDateTime,
  parseLiteral: (node) => readDateTime(node.kind === Kind.STRING ? node.value : null),
});

export const DecimalCountScalar = new GraphQLScalarType<string, string>({
  name: "DecimalCount",
  description: "A non-negative integer as a string, because a count can exceed the range of a JSON number.",
  serialize: readDecimalCount,
  parseValue: readDecimalCount,
  parseLiteral: (node) => readDecimalCount(node.kind === Kind.STRING ? node.value : null),
});
