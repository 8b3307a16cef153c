import { readFileSync } from "node:fs";
import fc from "fast-check";
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
} from "graphql";
import { times } from "../times.ts";
import { edits, hex, odd, oddObject, TEXT } from "./arbitraries.ts";

/** Meaningful values for the environment, by the name of an argument or field, or by `operation.argument`. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

const PIECES = fc.constantFrom(
  ...["__typename", "@include(if: true)", "@skip(if: $x)", "@unknown", "...F", "... on Query { __typename }"],
  ...["fragment F on Query { __typename }", "a: __typename", "$x", "($x: [[Int!]!]! = [[1]])", "mutation"],
  ...["subscription", "{", "}", "(", ")", "!", "#", '"', '"""', '"\\u{D800}"', '"\\uD83D"', "\ufeff", "\u2028"],
  ...["99999999999999999999", "1e999", "-", ",,,,"],
);
const REPEATED = fc.tuple(PIECES, fc.integer({ min: 1, max: 300 }));
const TOKENS = fc.oneof(
  { weight: 2, arbitrary: PIECES.map((piece) => [` ${piece} `]) },
  TEXT.map((text) => [text]),
  REPEATED.map(([piece, count]) => Array<string>(count).fill(` ${piece}`)),
);
const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Boolean: fc.boolean(),
  Int: fc.nat(120),
  DateTime: fc
    .date({ min: new Date("2026-01-01"), max: new Date("2026-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  ID: fc.uuid(),
};

/** Bodies for the operations of a schema: valid ones, and such with another value, token or field. */
export function bodiesFor(
  file: string,
  documents: Readonly<Record<string, string>>,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  const schema = buildSchema(readFileSync(new URL(`../../packages/contract/${file}`, import.meta.url), "utf8"));
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  return fc.oneof(
    ...Object.entries(documents).map(([name, text]) => {
      const args = fields[name]?.args ?? [];
      const values = (isOdd: boolean) =>
        Object.fromEntries(
          args.map(({ name: argument, type }) => {
            const own = known[`${name}.${argument}`];
            return [argument, fitting(argument, type, own ? { ...known, [argument]: own } : known, isOdd)];
          }),
        );
      const required = args.filter(isRequiredArgument).map((argument) => argument.name);
      const variables = fc.record(values(false), { requiredKeys: required });
      const oddVariables = odd(oddObject(values(true)));
      const query = fc.constant(text);
      const oddQuery = edits(TOKENS).map((edit) => edit(text.split(/(\s+|[{}()[\]:!$@,"])/).filter(Boolean)).join(""));
      const operationName = fc.constant(null);
      return fc.oneof<fc.Arbitrary<unknown>[]>(
        fc.record({ query, variables }),
        fc.record({ query, variables: oddVariables }),
        fc.record({ query, variables: oddVariables }),
        fc.record({ query: oddQuery, variables }),
        fc.record({ query: oddQuery, variables: oddVariables }),
        odd(oddObject({ query, variables, operationName, extensions: fc.constant({}) })),
      );
    }),
  );
}

/** A value that fits an input type, or in which some do not. */
function fitting(name: string, type: GraphQLInputType, known: KnownValues, isOdd: boolean): fc.Arbitrary<unknown> {
  const nullable = getNullableType(type);
  const part = (name: string, type: GraphQLInputType) => {
    const value = fitting(name, type, known, isOdd);
    return isOdd ? odd(value) : value;
  };
  if (isListType(nullable)) return fc.array(part(name, nullable.ofType), { maxLength: 3 });
  const named = getNamedType(nullable);
  const fields = isInputObjectType(named) ? Object.values(named.getFields()) : [];
  const parts = Object.fromEntries(fields.map((field) => [field.name, part(field.name, field.type)]));
  const made = isInputObjectType(named)
    ? (isOdd ? oddObject : fc.record)(parts)
    : isEnumType(named)
      ? fc.constantFrom(...named.getValues().map((value) => value.name))
      : (SCALARS[named.name] ?? hex(8).map((text) => `fuzz-${text}`));
  const values = known[name] ?? [];
  return values.length === 0 ? made : fc.oneof(times(4, fc.constantFrom(...values)), times(1, made));
}
