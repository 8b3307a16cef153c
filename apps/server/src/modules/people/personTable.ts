import type { PersonTableName } from "@social-connect/domain";
import type { Person } from "./findPerson.ts";

/** Who gave a value. */
export type Origin = "application" | "provider" | "service";

/** The meaning of each exported column, by who gave its value. */
type Fields = Readonly<Partial<Record<Origin, Readonly<Record<string, string>>>>>;

/** A table that holds rows of a person. Together, `fields` and `excluded` name each of its columns. */
export interface PersonTable {
  readonly name: PersonTableName;
  /** When a row is deleted: SQL, null for a row without such a time. */
  readonly until: string;
  readonly fields: Fields;
  /** The reason, by column. */
  readonly excluded: Readonly<Record<string, string>>;
  /** Columns that order the rows and identify each; `id` without it. */
  readonly key?: readonly string[];
  /** Which rows: SQL with the values as its parameters. */
  readonly rows: { readonly where: string; readonly values: (person: Person) => readonly unknown[] };
}

export const after = (column: string, { keepMs }: { readonly keepMs: number }) =>
  `${column} + interval '${keepMs / 1_000} seconds'`;

export const INTERNAL_ID = "the id of the client or of a registration at the service: not about the person";
export const ENCRYPTED = "a credential, stored encrypted: in a file it would give access to the account";
export const HASH = "a hash that the service compares with: it states nothing about the person";

export const SUBJECT = {
  tenant_key: "The application's id of the tenant.",
  external_subject_id: "The application's id of the person.",
};
/** Rows that name the person. */
export const ofSubject = {
  where: "application_id = $1 AND tenant_key = $2 AND external_subject_id = $3",
  values: ({ application, tenantKey, externalSubjectId }: Person) => [application.id, tenantKey, externalSubjectId],
};
/** Rows of the connections. */
export const ofConnections = {
  where: "application_id = $1 AND connection_id = ANY($2::uuid[])",
  values: ({ application, connectionIds }: Person) => [application.id, connectionIds],
};
