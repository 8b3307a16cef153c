import { buildSchema } from "graphql";
import { type Observe, observer } from "./observe.ts";
import { ADMIN_SCHEMA_TEXT, CONSUMER_SCHEMA_TEXT } from "./schemaTexts.ts";

/**
 * The published contracts, from which response types are read, so that enum values can be distinguished from other
 * strings.
 */
export const CONSUMER_SCHEMA = buildSchema(CONSUMER_SCHEMA_TEXT);
export const ADMIN_SCHEMA = buildSchema(ADMIN_SCHEMA_TEXT);

/** One of the service's two APIs: its path, and what its exchanges show. */
export interface Api {
  readonly path: string;
  readonly observe: Observe;
}

const CODE_FIELDS = new Set(["resultCode", "errorCode", "incompleteReason", "reason"]);

export const CONSUMER_API: Api = {
  path: "/graphql",
  observe: observer({
    schema: CONSUMER_SCHEMA,
    prefix: "",
    codeKind: (_type, field) => (CODE_FIELDS.has(field) ? field : null),
    countsAnswersAlone: false,
    notesFields: false,
  }),
};

/** Prefix of its observations: `admin-operation:createClient`, `admin-reason:LAST_ORIGIN`. */
export const ADMIN_API: Api = {
  path: "/api/admin/graphql",
  observe: observer({
    schema: ADMIN_SCHEMA,
    prefix: "admin-",
    codeKind: (type, field) => {
      if (field === "action") return "action";
      if (field !== "reason") return null;
      return type === "AdminProviderAvailability" ? "availability" : "reason";
    },
    countsAnswersAlone: true,
    notesFields: true,
  }),
};
