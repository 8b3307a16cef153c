import { formatDateTime, isDecimalCount, parseDateTime } from "@social-connect/domain";
import { GraphQLError, GraphQLScalarType, Kind } from "graphql";

export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: "DateTime",
  description:
    "A date and time in ISO 8601 with an offset. Answers are in UTC with milliseconds, e.g. `2026-01-31T08:15:30.000Z`.",
  serialize: (value) => {
    if (value instanceof Date) return formatDateTime(value);
    throw new TypeError("DateTime can only show a Date");
  },
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

function readDateTime(value: unknown): Date {
  const moment = typeof value === "string" ? parseDateTime(value) : null;
  if (moment === null) throw new GraphQLError("A DateTime must be an existing moment in ISO 8601, with its offset.");
  return moment;
}

function readDecimalCount(value: unknown): string {
  if (typeof value === "string" && isDecimalCount(value)) return value;
  throw new GraphQLError("A DecimalCount must be a non-negative whole number as text.");
}
