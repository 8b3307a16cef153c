import {
  type DocumentNode,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { consumerSchema } from "./consumerSchema.ts";
import { timeOf } from "./scrubber.ts";

/** A part of a response that the mocks' schema does not allow. */
export interface ResponseProblem {
  /** The place in `data`, such as `connections.items[].status`. */
  readonly path: string;
  /** What the schema allows, and what the response has. */
  readonly text: string;
}

/** Checks data that a service has returned against the schema of the mocks. */
export function responseProblems(document: DocumentNode, data: unknown): readonly ResponseProblem[] {
  const operation = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const schema = consumerSchema();
  const root = operation && schema.getRootType(operation.operation);
  if (operation === undefined || !root) return [];
  const found = new Map<string, ResponseProblem>();
  const note = (path: string, text: string) => void found.set(`${path} ${text}`, { path, text });
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  /** The selected fields with their types, by the name in the response. */
  const fieldsOf = (type: GraphQLOutputType, selections: SelectionSetNode): Map<string, Selected> => {
    const fields = new Map<string, Selected>();
    if (!isObjectType(type)) return fields;
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, alias, selectionSet } = selection;
        const field = type.getFields()[name.value];
        // A field that the mocks do not know is rejected by them, and `__typename` has no field.
        if (field !== undefined || name.value.startsWith("__"))
          fields.set((alias ?? name).value, { type: field?.type ?? null, selectionSet });
        continue;
      }
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (inner !== undefined) for (const [name, field] of fieldsOf(type, inner.selectionSet)) fields.set(name, field);
    }
    return fields;
  };
  const check = (path: string, declared: GraphQLOutputType, value: unknown, selectionSet?: SelectionSetNode): void => {
    if (value === null || value === undefined) {
      if (isNonNullType(declared)) note(path, value === null ? "null, but the mocks never return null" : "missing");
      return;
    }
    const type = getNullableType(declared);
    if (isListType(type)) {
      if (!Array.isArray(value)) note(path, "not a list");
      else for (const entry of value) check(`${path}[]`, type.ofType, entry, selectionSet);
      return;
    }
    if (isObjectType(type)) {
      if (typeof value !== "object" || Array.isArray(value)) {
        note(path, "not an object");
        return;
      }
      const fields = fieldsOf(type, selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] });
      const entries = value as Readonly<Record<string, unknown>>;
      for (const [name, field] of fields) {
        if (field.type !== null)
          check(path === "" ? name : `${path}.${name}`, field.type, ownEntry(entries, name), field.selectionSet);
      }
      for (const name of Object.keys(entries)) if (!fields.has(name)) note(`${path}.${name}`, "not requested");
      return;
    }
    if (isEnumType(type)) {
      if (typeof value !== "string" || type.getValue(value) === undefined)
        note(path, `${String(value)}, which is not a value of ${type.name} of the mocks`);
      return;
    }
    const expected = SCALARS[String(type)];
    if (expected !== undefined && !expected.matches(value)) note(path, `not ${expected.name}`);
  };
  check("", root, data ?? {}, operation.selectionSet);
  return [...found.values()];
}

interface Selected {
  readonly type: GraphQLOutputType | null;
  readonly selectionSet: SelectionSetNode | undefined;
}

/** The scalars of the schema, as a recording has them. */
const SCALARS: Readonly<Record<string, { readonly name: string; readonly matches: (value: unknown) => boolean }>> = {
  String: { name: "a string", matches: (value) => typeof value === "string" },
  ID: { name: "a string", matches: (value) => typeof value === "string" },
  DecimalCount: { name: "a string", matches: (value) => typeof value === "string" },
  DateTime: { name: "a time", matches: (value) => typeof value === "string" && timeOf(value, 0) !== null },
  Int: { name: "an integer", matches: Number.isInteger },
  Boolean: { name: "a boolean", matches: (value) => typeof value === "boolean" },
};

/** An alias may be named `constructor`. */
function ownEntry(entries: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
