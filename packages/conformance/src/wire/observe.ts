import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";

export interface AnswerBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown; readonly reason?: unknown } }[];
}

export type Observe = (query: string, variables: unknown, httpStatus: number, body: AnswerBody | null) => string[];

/** Strings that are codes, by the names of their fields. */
const CODE_FIELDS = new Set(["resultCode", "errorCode", "incompleteReason", "reason", "action"]);

/**
 * What one exchange shows of the contract: `operation:content` where it returned a value, `argument:content.window` and
 * `argument:ContentWindow.first` for what it was sent, and `field:Connection.status`, `enum:JobStatus.QUEUED`,
 * `resultCode:USER_DENIED`, `code:NOT_FOUND` and `http:413` for what was returned.
 */
export function observer(schema: GraphQLSchema, prefix = ""): Observe {
  return (query, variables, httpStatus, body) => {
    const seen = new Set<string>([`http:${httpStatus}`]);
    for (const { extensions } of body?.errors ?? []) {
      if (typeof extensions?.code === "string") seen.add(`code:${extensions.code}`);
      if (typeof extensions?.reason === "string") seen.add(`reason:${extensions.reason}`);
    }
    const document = parsed(query);
    for (const definition of document?.definitions ?? []) {
      if (document === null || definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const root = schema.getRootType(definition.operation);
      const sent = isRecord(variables) ? variables : {};
      if (root) walkAnswer(root, definition.selectionSet, body?.data, { document, schema, root, sent, seen });
    }
    return [...seen].map((observation) => prefix + observation);
  };
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query);
  } catch {
    return null;
  }
}

interface Walk {
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
  readonly root: GraphQLNamedType;
  readonly sent: Record<string, unknown>;
  readonly seen: Set<string>;
}

function walkAnswer(type: GraphQLNamedType, selections: SelectionSetNode, value: unknown, walk: Walk): void {
  if (Array.isArray(value)) {
    for (const entry of value) walkAnswer(type, selections, entry, walk);
    return;
  }
  if (!isRecord(value)) return;
  const object = concreteType(type, value, walk);
  if (!isObjectType(object)) return;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      const field = object.getFields()[selection.name.value];
      const found = value[selection.alias?.value ?? selection.name.value];
      if (field === undefined || found === undefined) continue;
      if (object !== walk.root) walk.seen.add(`field:${object.name}.${field.name}`);
      else if (found !== null) noteOperation(field, selection, walk);
      if (found === null) continue;
      const named = getNamedType(field.type);
      if (isEnumType(named)) for (const entry of [found].flat()) walk.seen.add(`enum:${named.name}.${String(entry)}`);
      else if (CODE_FIELDS.has(field.name)) walk.seen.add(`${codeKind(object.name, field.name)}:${String(found)}`);
      else if (selection.selectionSet) walkAnswer(named, selection.selectionSet, found, walk);
    } else {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentNamed(selection.name.value, walk);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment && isOf(object, condition, walk)) walkAnswer(object, fragment.selectionSet, value, walk);
    }
  }
}

/** The reasons of a provider's availability are no errors' reasons. */
function codeKind(type: string, field: string): string {
  return type === "AdminProviderAvailability" ? "availability" : field;
}

function noteOperation(field: GraphQLField<unknown, unknown>, node: FieldNode, { sent, seen }: Walk): void {
  seen.add(`operation:${field.name}`);
  for (const { name, type } of field.args) {
    const given = node.arguments?.find((one) => one.name.value === name);
    if (given) noteInput(`${field.name}.${name}`, type, valueFromASTUntyped(given.value, sent), seen);
  }
}

function noteInput(path: string, type: GraphQLInputType, value: unknown, seen: Set<string>): void {
  if (value === undefined) return;
  seen.add(`argument:${path}`);
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return;
  for (const entry of [value].flat().filter(isRecord)) {
    for (const { name, type: inner } of Object.values(named.getFields()))
      noteInput(`${named.name}.${name}`, inner, entry[name], seen);
  }
}

/** The type of a union's response, by its __typename. */
function concreteType(type: GraphQLNamedType, value: Record<string, unknown>, walk: Walk) {
  if (!isAbstractType(type)) return type;
  const name = value["__typename"];
  if (typeof name !== "string") return undefined;
  walk.seen.add(`type:${name}`);
  return walk.schema.getType(name);
}

function isOf(object: GraphQLNamedType, condition: string | undefined, { schema }: Walk): boolean {
  if (condition === undefined || condition === object.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && isObjectType(object) && schema.isSubType(wanted, object);
}

function fragmentNamed(name: string, { document }: Walk) {
  const found = document.definitions.find(
    (candidate) => candidate.kind === Kind.FRAGMENT_DEFINITION && candidate.name.value === name,
  );
  return found?.kind === Kind.FRAGMENT_DEFINITION ? found : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
