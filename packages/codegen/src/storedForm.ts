/**
 * A hook of graphql-codegen that stores each document as one constant string, without white space that GraphQL ignores: 400
 * bytes less in the bundle, and a third less in a request.
 */
export function asStored(_path: string, content: string): string {
  const strings = content.replace(/\nexport class TypedDocumentString\b.*?\n\}\n/s, DOCUMENT_TYPE);
  const documents = strings.replaceAll(/new TypedDocumentString\(`([^`]*)`\)/g, (_, document: string) => {
    return `"${compact(document)}"`;
  });
  return documents.replaceAll(/\n{3,}/g, "\n\n");
}

/** A document without white space that GraphQL ignores. */
export function compact(document: string): string {
  return document
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{}():,!$]) ?/g, "$1")
    .trim();
}

/** The types of a document's result and variables. */
const DOCUMENT_TYPE =
  "\nexport type TypedDocumentString<TResult, TVariables> = string & DocumentTypeDecoration<TResult, TVariables>;\n";
