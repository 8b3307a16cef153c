import {
  type GraphQLOutputType,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { describe, expect, it } from "vitest";
import type { OperationName } from "../_generated/operations.ts";
import { ANSWERS } from "../_generated/validators.ts";
import { PUBLISHED_SCHEMA, SHIPPED_DOCUMENTS, type ShippedDocument } from "../testing/shippedDocuments.ts";

/** A position in a response: its path, and whether the schema allows null. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly isNullable: boolean;
}

/** A response by the schema and a document, with all its positions. */
function sampleOf({ operation, parsed }: ShippedDocument) {
  const places: Place[] = [];
  const fragments = new Map(
    parsed.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const fill = (type: GraphQLOutputType, selected: SelectionSetNode | undefined, path: Place["path"]): unknown => {
    if (isNonNullType(type)) return fill(type.ofType, selected, path);
    if (isListType(type)) return [fill(type.ofType, selected, [...path, 0])];
    if (!isObjectType(type)) return isScalarType(type) && type.name === "Boolean" ? true : "text";
    return Object.fromEntries(
      fieldsOf(selected).map(({ name, selectionSet }) => {
        const field = type.getFields()[name.value];
        if (field === undefined) throw new Error(`${type.name} has no ${name.value}`);
        const own = [...path, name.value];
        places.push({ path: own, isNullable: !isNonNullType(field.type) });
        return [name.value, fill(field.type, selectionSet, own)];
      }),
    );
  };
  const fieldsOf = (
    selected: SelectionSetNode | undefined,
  ): { name: { value: string }; selectionSet?: SelectionSetNode }[] =>
    (selected?.selections ?? []).flatMap((one) => {
      if (one.kind === Kind.FRAGMENT_SPREAD) return fieldsOf(fragments.get(one.name.value)?.selectionSet);
      return one.kind === Kind.FIELD ? [one] : [];
    });
  const [root] = fieldsOf(operation.selectionSet);
  const rootType =
    operation.operation === "query" ? PUBLISHED_SCHEMA.getQueryType() : PUBLISHED_SCHEMA.getMutationType();
  const field = rootType?.getFields()[root?.name.value ?? ""];
  if (root === undefined || field === undefined) throw new Error("no root field");
  const name = root.name.value as OperationName;
  return {
    name,
    isNullable: !isNonNullType(field.type),
    named: getNamedType(field.type).name,
    make: () => {
      places.length = 0;
      return fill(field.type, root.selectionSet, []);
    },
    places,
  };
}

/** The value with something else at a place. */
function withAt(value: unknown, path: Place["path"], replacement: unknown): unknown {
  let at = value;
  for (const step of path.slice(0, -1)) at = Reflect.get(Object(at), step);
  Reflect.set(Object(at), path.at(-1) ?? "", replacement);
  return value;
}

describe.each(SHIPPED_DOCUMENTS)("the response to $name", (document) => {
  const { name, isNullable, make, places } = sampleOf(document);

  it("is accepted as the schema describes it", () => {
    expect(ANSWERS[name](make())).toBe(true);
    expect(ANSWERS[name](null)).toBe(isNullable);
    expect(ANSWERS[name](undefined)).toBe(false);
  });

  it("accepts null exactly where the schema allows it, and rejects other types everywhere", () => {
    make();
    const all = [...places];
    expect(all.length).toBeGreaterThan(0);
    for (const { path, isNullable: mayBeNull } of all) {
      expect(ANSWERS[name](withAt(make(), path, null)), `${path.join(".")} null`).toBe(mayBeNull);
      for (const other of [7, undefined, { of: "another kind" }, [["list"]]]) {
        expect(ANSWERS[name](withAt(make(), path, other)), `${path.join(".")} ${JSON.stringify(other)}`).toBe(false);
      }
    }
  });

  it("has unrequested fields removed at every depth", () => {
    const value = make();
    const clean = JSON.stringify(value);
    for (const { path } of [...places]) {
      const parent = path.slice(0, -1);
      withAt(value, [...parent, "notAskedFor"], { deep: [true] });
      withAt(value, [...parent, "constructor"], "odd");
    }
    expect(JSON.stringify(value)).not.toBe(clean);
    expect(ANSWERS[name](value)).toBe(true);
    expect(JSON.stringify(value)).toBe(clean);
  });
});
