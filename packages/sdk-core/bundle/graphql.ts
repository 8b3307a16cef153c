/**
 * Replaces graphql-js in the bundle of an SDK. graphql-request would parse and print documents with it, but our
 * documents are strings that are sent unchanged. Callers therefore install no second copy of graphql.
 */
export const Kind = { OPERATION_DEFINITION: "OperationDefinition" };

export function parse(): never {
  return unused();
}

export function print(): never {
  return unused();
}

function unused(): never {
  throw new Error("Documents of this SDK are strings and are never parsed.");
}
