import { BREAK, type DocumentNode, GraphQLError, parse, Source, visit } from "graphql";

/**
 * The same error with the line and column of the part of the document that it is about. Documents are parsed without positions,
 * which takes less time and memory, so a refused one is parsed again.
 */
export function withPosition(error: GraphQLError, text: string, document: DocumentNode | null): GraphQLError {
  const [node] = error.nodes ?? [];
  const path = node === undefined || document === null ? null : pathTo(node, document);
  if (path === null) return error;
  const located = path.reduce<unknown>((parent, key) => Reflect.get(Object(parent), key), parse(text)) as typeof node;
  const { message, originalError = null, extensions } = error;
  const positions = located?.loc && [located.loc.start];
  return new GraphQLError(message, { source: new Source(text), positions, originalError, extensions });
}

type Path = readonly (string | number)[];

/** The keys that lead from a document to one of its nodes. */
function pathTo(node: object, document: DocumentNode): Path | null {
  let found: Path | null = null;
  visit(document, {
    enter(each, _key, _parent, path) {
      if (each !== node) return undefined;
      found = [...path];
      return BREAK;
    },
  });
  return found;
}
