import { badUserInput } from "@social-connect/domain";
import { BREAK, type DocumentNode, visit } from "graphql";

export const NO_INTROSPECTION = badUserInput(
  "Introspection is disabled. The schema is published: at /schema.graphql (consumer API) and in the package @social-connect/contract (both APIs).",
);

const FIELD = /^__(?:schema|type)$/;
/** Also matches strings in arguments. */
const MAY_CONTAIN_FIELD = /__(?:schema|type)\b/;

/** Whether a document has a field of introspection anywhere. */
export function asksForSchema(text: string, document: DocumentNode): boolean {
  if (!MAY_CONTAIN_FIELD.test(text)) return false;
  let found = false;
  visit(document, {
    Field: ({ name }) => {
      found ||= FIELD.test(name.value);
      return found ? BREAK : undefined;
    },
  });
  return found;
}
