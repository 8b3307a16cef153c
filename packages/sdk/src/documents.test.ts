/** The documents of the package are part of the contract: these tests compare them with the schema and the limits. */
import { LIMITS } from "@social-connect/contract";
import { checkDocumentLimits, measureDocument } from "@social-connect/transport";
import { Kind, parse, print, validate } from "graphql";
import { describe, expect, it } from "vitest";
import * as documents from "./_generated/documents.ts";
import { HEADS } from "./_generated/documents.ts";
import { OPERATION_NAMES } from "./testing/operationCalls.ts";
import { PUBLISHED_SCHEMA, SHIPPED_DOCUMENTS } from "./testing/shippedDocuments.ts";

const rootFieldsOf = ({ operation }: (typeof SHIPPED_DOCUMENTS)[number]) =>
  operation.selectionSet.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : "?"));

describe.each(SHIPPED_DOCUMENTS)("the document $name", (document) => {
  const { parsed, text } = document;

  it("is valid on the published schema", () => {
    expect(validate(PUBLISHED_SCHEMA, parsed)).toEqual([]);
  });

  it("is within the limits of the service", () => {
    expect(checkDocumentLimits(parsed)).toBeNull();
    const { cost, depth, aliases, operations } = measureDocument(parsed);
    expect(operations).toBe(1);
    expect(cost).toBeLessThanOrEqual(LIMITS.cost);
    expect(depth).toBeLessThanOrEqual(LIMITS.depth);
    expect(aliases).toBe(0);
  });

  it("has one operation with one root field, so that one error describes the whole response", () => {
    expect(rootFieldsOf(document)).toHaveLength(1);
  });

  it("leaves room for its variables in a request of the maximum size", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.bodyBytes / 16);
  });
});

it.each(Object.entries(HEADS))("%s is sent with the text that its types were generated from", (name, head) => {
  const generated = Reflect.get(documents, `${name.charAt(0).toUpperCase()}${name.slice(1)}Document`);
  const sent = SHIPPED_DOCUMENTS.find(({ text }) => text.startsWith(head))?.parsed;
  expect(sent && print(sent)).toBe(print(parse(String(generated))));
});

it("has a document for exactly the operations of the schema", () => {
  const fieldsOf = (type: { getFields(): object } | null | undefined) => Object.keys(type?.getFields() ?? {});
  const published = [...fieldsOf(PUBLISHED_SCHEMA.getQueryType()), ...fieldsOf(PUBLISHED_SCHEMA.getMutationType())];
  const shipped = SHIPPED_DOCUMENTS.flatMap(rootFieldsOf);
  expect(shipped.toSorted()).toEqual(published.toSorted());
  expect(OPERATION_NAMES.toSorted()).toEqual(published.toSorted());
});

it("control: finds a document over a limit", () => {
  const fields = Array.from({ length: 91 }, (_, index) => `f${index}`).join(" ");
  expect(checkDocumentLimits(parse(`{ status { ${fields} } }`))?.code).toBe("BAD_USER_INPUT");
  expect(validate(PUBLISHED_SCHEMA, parse("{ status { no } }"))).toHaveLength(1);
});
