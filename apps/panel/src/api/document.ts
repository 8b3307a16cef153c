import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";

/** A generated document: its text, and the types of its answer and variables. */
export interface Document<Answer, Variables> extends DocumentTypeDecoration<Answer, Variables> {
  toString(): string;
}

/** No second argument for a document without variables. */
export type VariablesOf<Variables> = Record<string, never> extends Variables ? [variables?: Variables] : [Variables];
