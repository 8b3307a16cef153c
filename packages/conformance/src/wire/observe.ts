import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";

export interface AnswerBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown; readonly reason?: unknown } }[];
}

/** Records what one exchange shows of the contract, in the catalogue's notation. */
export type Observe = (query: string, variables: unknown, httpStatus: number, body: AnswerBody | null) => string[];

export interface ObservedApi {
  readonly schema: GraphQLSchema;
  /** Prefix of each observation, to distinguish the two APIs. */
  readonly prefix: string;
  /** Kind of the codes in a field of type String, e.g. `errorCode`; null for other strings. */
  readonly codeKind: (typeName: string, fieldName: string) => string | null;
  /** Whether an operation counts only if its result is not null. */
  readonly countsAnswersAlone: boolean;
  /** Whether each field of a returned record, even if null, is recorded as `field:AdminClient.slug`. */
  readonly notesFields: boolean;
}

/**
 * What one exchange shows: operations that returned a result, and codes and enum values that were on the wire, in the
 * catalogue's notation: `operation:content`, `code:NOT_FOUND`, `enum:JobStatus.QUEUED`, `resultCode:USER_DENIED`,
 * `http:413`. Values sent as input count as `input:SocialProvider.PROVIDER_A`.
 */
export function observer({ schema, prefix, codeKind, countsAnswersAlone, notesFields }: ObservedApi): Observe {
  return (query, variables, httpStatus, body) => {
    const seen = new Set<string>([`http:${httpStatus}`]);
    for (const { extensions } of body?.errors ?? []) {
      if (typeof extensions?.code === "string") seen.add(`code:${extensions.code}`);
      if (typeof extensions?.reason === "string") seen.add(`reason:${extensions.reason}`);
    }
    const document = parsed(query);
    if (document !== null && body !== null) {
      const walk = { document, codeKind, notesFields, schema, seen };
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const root = schema.getRootType(definition.operation);
        for (const { name, key } of rootFields(definition.selectionSet)) {
          const isAnswered = !countsAnswersAlone || (isRecord(body.data) && (body.data[key] ?? null) !== null);
          if (root?.getFields()[name] !== undefined && isAnswered) seen.add(`operation:${name}`);
        }
        observeInputs(schema, definition.variableDefinitions ?? [], variables, seen);
        if (root) walkAnswer(root, definition.selectionSet, body.data, walk);
      }
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

function rootFields(selections: SelectionSetNode): { name: string; key: string }[] {
  return selections.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD
      ? [{ name: selection.name.value, key: selection.alias?.value ?? selection.name.value }]
      : [],
  );
}

function observeInputs(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: unknown,
  seen: Set<string>,
): void {
  for (const definition of definitions) {
    // typeFromAST has a separate overload for each kind of type node.
    const type = typeFromAST(schema, definition.type as Parameters<typeof typeFromAST>[1]);
    if (type && isRecord(variables)) walkInput(type, variables[definition.variable.name.value], seen);
  }
}

function walkInput(type: GraphQLType, value: unknown, seen: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) walkInput(type, entry, seen);
  const named = getNamedType(type);
  if (isEnumType(named) && typeof value === "string") seen.add(`input:${named.name}.${value}`);
  if (!isInputObjectType(named) || !isRecord(value) || Array.isArray(value)) return;
  for (const field of Object.values(named.getFields())) walkInput(field.type, value[field.name], seen);
}

interface Walk {
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
  readonly codeKind: ObservedApi["codeKind"];
  readonly notesFields: boolean;
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
      if (walk.notesFields) walk.seen.add(`field:${object.name}.${field.name}`);
      if (found === null) continue;
      const named = getNamedType(field.type);
      const codeKind = walk.codeKind(object.name, field.name);
      if (isEnumType(named)) for (const entry of [found].flat()) walk.seen.add(`enum:${named.name}.${String(entry)}`);
      else if (codeKind !== null) walk.seen.add(`${codeKind}:${String(found)}`);
      else if (selection.selectionSet) walkAnswer(named, selection.selectionSet, found, walk);
    } else {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentNamed(selection.name.value, walk);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment && isOf(object, condition, walk)) walkAnswer(object, fragment.selectionSet, value, walk);
    }
  }
}

/** The type of a union's response, by its __typename. */
function concreteType(type: GraphQLNamedType, value: Record<string, unknown>, walk: Walk) {
  if (!isUnionType(type) && !isInterfaceType(type)) return type;
  const name = value["__typename"];
  if (typeof name !== "string") return undefined;
  walk.seen.add(`type:${name}`);
  return walk.schema.getType(name);
}

function isOf(object: GraphQLNamedType, condition: string | undefined, { schema }: Walk): boolean {
  if (condition === undefined || condition === object.name) return true;
  const wanted = schema.getType(condition);
  return isInterfaceType(wanted) && isObjectType(object) && schema.isSubType(wanted, object);
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
