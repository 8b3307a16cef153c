import type { DocumentNode, FieldNode, SelectionSetNode } from "graphql";
import { Kind } from "graphql";
import type { PostForm, ResponseField } from "../../modules/content/writtenPosts.ts";
import type { ReadyDocument } from "../shared/documents.ts";

/** A list of a response that is written as JSON already. The executed document has an empty list in its place. */
export interface WrittenList {
  /** The list's key in the response, which has no other list. */
  readonly key: string;
  readonly json: string;
}

/** The posts of a document that reads a page of content and nothing else. */
export interface RequestedPage {
  readonly key: string;
  readonly form: PostForm;
}

const pages = new WeakMap<DocumentNode, { readonly page: RequestedPage | null }>();

/** null if the posts cannot be written in one form: with directives, several lists or a key for several fields. */
export function requestedPage({ document, operation }: ReadyDocument): RequestedPage | null {
  const known = pages.get(document) ?? { page: readPage(document, operation.selectionSet) };
  pages.set(document, known);
  return known.page;
}

function readPage(document: DocumentNode, root: SelectionSetNode): RequestedPage | null {
  const [content, ...others] = fieldsOf(document, root) ?? [];
  if (content?.name.value !== "content" || others.length > 0) return null;
  const items = theOnly("items", fieldsOf(document, content.selectionSet));
  const post = fieldsOf(document, items?.selectionSet);
  if (items === null || post === null) return null;
  const isWithMetrics = post.some(({ name }) => name.value === "metrics");
  const metric = isWithMetrics ? fieldsOf(document, theOnly("metrics", post)?.selectionSet) : [];
  if (metric === null) return null;
  return { key: keyOf(items), form: { post: post.map(responseField), metric: metric.map(responseField) } };
}

/** The fields of a selection, in fragments too; null without a selection, or if its fields depend on a directive or share a key. */
function fieldsOf(document: DocumentNode, selectionSet: SelectionSetNode | undefined): readonly FieldNode[] | null {
  const fields: FieldNode[] = [];
  /** False if a selection has a directive. */
  const add = (set: SelectionSetNode): boolean =>
    set.selections.every((selection) => {
      if (selection.directives?.length) return false;
      if (selection.kind === Kind.FIELD) return fields.push(selection) > 0;
      if (selection.kind === Kind.INLINE_FRAGMENT) return add(selection.selectionSet);
      const fragment = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION && !fragment.directives?.length && add(fragment.selectionSet);
    });
  if (selectionSet === undefined || !add(selectionSet)) return null;
  return new Set(fields.map(keyOf)).size === fields.length ? fields : null;
}

function theOnly(name: string, fields: readonly FieldNode[] | null): FieldNode | null {
  const [field = null, ...others] = (fields ?? []).filter((one) => one.name.value === name);
  return others.length === 0 ? field : null;
}

function responseField(field: FieldNode): ResponseField {
  return { key: keyOf(field), name: field.name.value };
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Inserts a written list into a response. A response without data has no list and is returned unchanged. */
export function insertList(body: string, { key, json }: WrittenList): string {
  // A quotation mark in a text is escaped, so this is not in a text.
  const empty = `"${key}":[]`;
  const at = body.indexOf(empty);
  if (at < 0) return body;
  return body.slice(0, at + empty.length - "[]".length) + json + body.slice(at + empty.length);
}
