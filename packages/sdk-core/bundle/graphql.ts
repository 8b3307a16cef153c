/**
 * Stands in for graphql-js when an SDK is bundled. graphql-request would parse and print documents with it; ours are
 * texts and are sent as they are, so nothing of it ever runs, and nobody has to install a second copy of it.
 */
export const Kind = { OPERATION_DEFINITION: "OperationDefinition" };

export function parse(): never {
  return unused();
}

export function print(): never {
  return unused();
}

function unused(): never {
  throw new Error("Documents of this SDK are texts and are never parsed.");
}
