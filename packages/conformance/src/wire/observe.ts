import {
  type DocumentNode,
  executeSync,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
} from "graphql";

interface AnswerBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown; readonly reason?: unknown } }[];
}

export type Observe = (query: string, variables: unknown, httpStatus: number, body: AnswerBody | null) => string[];

/** Strings that are codes, by the names of their fields. */
const CODE_FIELDS = new Set(["resultCode", "errorCode", "incompleteReason", "reason", "action"]);

/**
 * What one exchange shows of the contract: `operation:content` where it returned a value, `argument:content.window` and
 * `argument:ContentWindow.first` for what it was sent, and `field:Connection.status`, `enum:JobStatus.QUEUED`,
 * `resultCode:USER_DENIED`, `code:NOT_FOUND` and `http:413` for what was returned. The document is executed with the
 * response as its data, so that fragments, directives and aliases count as for the service.
 */
export function observer(schema: GraphQLSchema, prefix = ""): Observe {
  return (query, variables, httpStatus, body) => {
    const seen = new Set<string>([`http:${httpStatus}`]);
    for (const { extensions } of body?.errors ?? []) {
      if (typeof extensions?.code === "string") seen.add(`code:${extensions.code}`);
      if (typeof extensions?.reason === "string") seen.add(`reason:${extensions.reason}`);
    }
    const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (source, args, _, info) => {
      const { fieldName, parentType, path } = info;
      const found = source[path.key];
      if (found === undefined) return null;
      const field = parentType.getFields()[fieldName];
      if (path.prev !== undefined) seen.add(`field:${parentType.name}.${fieldName}`);
      else if (found !== null) {
        seen.add(`operation:${fieldName}`);
        for (const { name, type } of field?.args ?? []) noteInput(`${fieldName}.${name}`, type, args[name], seen);
      }
      if (found === null) return null;
      const named = getNamedType(info.returnType);
      if (isEnumType(named)) for (const entry of [found].flat()) seen.add(`enum:${named.name}.${String(entry)}`);
      else if (CODE_FIELDS.has(fieldName)) seen.add(`${codeKind(parentType.name, fieldName)}:${String(found)}`);
      return found;
    };
    const typeResolver = ({ __typename: name }: Record<string, unknown>) => {
      seen.add(`type:${name}`);
      return String(name);
    };
    const document = parsed(query);
    if (document !== null && isRecord(body?.data)) {
      const variableValues = isRecord(variables) ? variables : {};
      executeSync({ schema, document, rootValue: body.data, variableValues, fieldResolver, typeResolver });
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

/** The reasons of a provider's availability are no errors' reasons. */
function codeKind(type: string, field: string): string {
  return type === "AdminProviderAvailability" ? "availability" : field;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
