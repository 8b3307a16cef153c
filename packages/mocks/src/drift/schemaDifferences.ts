import type { GraphQLArgument, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from "graphql";
import {
  astFromValue,
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from "graphql";

/**
 * What a difference means to a caller who was tested against the mocks: `breaking`, a request or an answer that is good here
 * is not there; `dangerous`, an answer may hold what it never holds here, or a request may mean something else; `safe`, there
 * is more to ask for.
 */
export type DifferenceLevel = "breaking" | "dangerous" | "safe";

/** One thing in which a service's schema differs from the one that the mocks carry. */
export interface SchemaDifference {
  /** How much it matters to who relies on the mocks. */
  readonly level: DifferenceLevel;
  /** What differs, e.g. `Connection.profile`, `Query.connections(first:)` or `JobStatus.QUEUED`. */
  readonly coordinate: string;
  /** How, in words. */
  readonly text: string;
}

type Kind = "type" | "field" | "argument" | "input field" | "enum value" | "member" | "interface" | "directive";

/** One thing that a schema has. */
interface Element {
  readonly kind: Kind;
  readonly coordinate: string;
  /** What it stands in: when that is not there, or is something else, nothing is told of what it held. */
  readonly parent: string | null;
  /** The type of a field or argument; what kind of type a type is. */
  readonly type: string;
  readonly defaultValue: string | null;
  readonly isRequired: boolean;
}

/** How the schema that a service publishes differs from the one that the mocks have. Words and order are no difference. */
export function schemaDifferences(mocks: string, service: string): readonly SchemaDifference[] {
  const [here, there] = [elementsOf(buildSchema(mocks)), elementsOf(buildSchema(service))];
  const coordinates = [...new Set([...here.keys(), ...there.keys()])];
  const differences = coordinates.flatMap((key) => {
    const parent = here.get(key)?.parent ?? there.get(key)?.parent ?? null;
    return parent === null || isThere(here.get(parent), there.get(parent))
      ? compare(here.get(key), there.get(key))
      : [];
  });
  return LEVELS.flatMap((level) => differences.filter((difference) => difference.level === level));
}

const LEVELS: readonly DifferenceLevel[] = ["breaking", "dangerous", "safe"];

/** On both sides, and as the same kind of type where it is one. */
function isThere(here: Element | undefined, there: Element | undefined): boolean {
  return here !== undefined && there !== undefined && (here.kind !== "type" || here.type === there.type);
}

function compare(here: Element | undefined, there: Element | undefined): SchemaDifference[] {
  if (here === undefined) return there === undefined ? [] : [added(there)];
  const { coordinate, kind } = here;
  if (there === undefined) return [{ level: "breaking", coordinate, text: `the service does not have this ${kind}` }];
  if (here.type !== there.type) {
    const isInput = kind === "argument" || kind === "input field";
    const isSafe = isInput ? isNarrower(there.type, here.type) : kind === "field" && isNarrower(here.type, there.type);
    return [
      { level: isSafe ? "safe" : "breaking", coordinate, text: `${here.type} in the mocks, ${there.type} there` },
    ];
  }
  if (here.defaultValue === there.defaultValue) return [];
  const shown = (value: string | null) => (value === null ? "no default value" : `the default value ${value}`);
  const text = `${shown(here.defaultValue)} in the mocks, ${shown(there.defaultValue)} there`;
  return [{ level: "dangerous", coordinate, text }];
}

const LEVEL_OF_ADDED: Readonly<Record<Kind, DifferenceLevel>> = {
  type: "safe",
  field: "safe",
  directive: "safe",
  argument: "dangerous",
  "input field": "dangerous",
  "enum value": "dangerous",
  member: "dangerous",
  interface: "dangerous",
};

function added({ coordinate, kind, isRequired }: Element): SchemaDifference {
  const level = isRequired ? "breaking" : LEVEL_OF_ADDED[kind];
  const text = `the mocks do not have this ${kind}${isRequired ? ", which the service needs" : ""}`;
  return { level, coordinate, text };
}

/** Whether every value of the second type is one of the first, which may be null, or hold null, where the second may not. */
function isNarrower(wide: string, narrow: string): boolean {
  if (narrow.endsWith("!")) return isNarrower(wide.replace(/!$/, ""), narrow.slice(0, -1));
  if (wide.startsWith("[") && narrow.startsWith("[") && !wide.endsWith("!"))
    return isNarrower(wide.slice(1, -1), narrow.slice(1, -1));
  return wide === narrow;
}

/** All that a schema has but what every schema has, by a name of its own. */
function elementsOf(schema: GraphQLSchema): ReadonlyMap<string, Element> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  const elements = [
    ...types.flatMap(elementsOfType),
    ...directives.map(({ name, args, locations, isRepeatable }) => {
      const takes = args.map((arg) => `${arg.name}: ${arg.type}`).join(", ");
      return element("directive", `@${name}`, null, `(${takes})${isRepeatable ? " repeatable" : ""} on ${locations}`);
    }),
  ];
  return new Map(elements.map((one) => [one.coordinate, one]));
}

function elementsOfType(type: GraphQLNamedType): Element[] {
  const { name } = type;
  const inType = (kind: Kind, member: string) => element(kind, `${name}.${member}`, name);
  if (isEnumType(type)) {
    const values = type.getValues().map((value) => inType("enum value", value.name));
    return [element("type", name, null, "an enum"), ...values];
  }
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => inType("member", member.name));
    return [element("type", name, null, "a union"), ...members];
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) => ({
      ...inType("input field", field.name),
      ...inputFacts(field, isRequiredInputField(field)),
    }));
    return [element("type", name, null, "an input object"), ...fields];
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    const fields = Object.values(type.getFields()).flatMap((field) => {
      const coordinate = `${name}.${field.name}`;
      const args = field.args.map((arg) => ({
        ...element("argument", `${coordinate}(${arg.name}:)`, coordinate),
        ...inputFacts(arg, isRequiredArgument(arg)),
      }));
      return [element("field", coordinate, name, String(field.type)), ...args];
    });
    const interfaces = type.getInterfaces().map((one) => element("interface", `${name} implements ${one.name}`, name));
    return [element("type", name, null, isObjectType(type) ? "an object" : "an interface"), ...fields, ...interfaces];
  }
  return [element("type", name, null, "a scalar")];
}

function element(kind: Kind, coordinate: string, parent: string | null, type = ""): Element {
  return { kind, coordinate, parent, type, defaultValue: null, isRequired: false };
}

function inputFacts(input: GraphQLArgument | GraphQLInputField, isRequired: boolean) {
  const node = input.defaultValue === undefined ? null : astFromValue(input.defaultValue, input.type);
  return { type: String(input.type), defaultValue: node ? print(node) : null, isRequired };
}
