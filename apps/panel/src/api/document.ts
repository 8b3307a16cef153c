import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";

/** A generated document: its text, and the types of its result and variables. */
export interface Document<Result, Variables> extends DocumentTypeDecoration<Result, Variables> {
  toString(): string;
}

/** Makes the variables optional for a document that has none. */
export type VariablesOf<Variables> = Record<string, never> extends Variables ? [variables?: Variables] : [Variables];
