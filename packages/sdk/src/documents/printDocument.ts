import { ConfigurationError } from "@social-connect/sdk-core";

/** How each kind of node is written. A property is omitted with the text before and after it when it is empty. */
const FORMS: Readonly<Record<string, string>> = {
  Document: "<definitions>",
  OperationDefinition: "<operation> <name>(<variableDefinitions>) <directives><selectionSet>",
  VariableDefinition: "<variable>:<type> =<defaultValue> <directives>",
  SelectionSet: "{<selections>}",
  Field: "<alias>:<name>(<arguments>)<directives><selectionSet>",
  FragmentSpread: "...<name> <directives>",
  InlineFragment: "... on <typeCondition> <directives><selectionSet>",
  FragmentDefinition: "fragment <name> on <typeCondition> <directives><selectionSet>",
  Directive: "@<name>(<arguments>)",
  Argument: "<name>:<value>",
  ObjectField: "<name>:<value>",
  NullValue: "null",
  ListValue: "[<values>]",
  ObjectValue: "{<fields>}",
  Variable: "$<name>",
  NamedType: "<name>",
  ListType: "[<type>]",
  NonNullType: "<type>!",
};

/** The text of a parsed document. */
export function printDocument(document: unknown): string {
  if (Reflect.get(Object(document), "kind") !== "Document") throw notADocument();
  return print(document);
}

/**
 * The text of a node. Written from its nodes and not taken from `loc`: code generators omit `loc`, and a document
 * that was put together from others has the text of one of them.
 */
function print(node: unknown): string {
  if (Array.isArray(node)) return node.map(print).join(" ");
  if (typeof node !== "object" || node === null) return String(node ?? "");
  const { kind = "", value }: { kind?: string; value?: unknown } = node;
  if (kind === "StringValue") return JSON.stringify(String(value));
  // Names, numbers, enum values.
  const form = Object.hasOwn(FORMS, kind) ? FORMS[kind] : value === undefined ? undefined : "<value>";
  if (form === undefined) throw notADocument();
  return form.replace(/(\(|on |=)?<(\w+)>([):]?)/g, (_, before = "", property: string, after: string) => {
    const text = print(Reflect.get(node, property));
    return text === "" ? "" : `${before}${text}${after}`;
  });
}

function notADocument(): ConfigurationError {
  return new ConfigurationError("document must be a string, or a document of graphql-js or of a code generator.");
}
