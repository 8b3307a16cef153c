/** What the transport first does with a request, on hostile text. */
import { LIMITS } from "@social-connect/contract";
import { expectLinearTime } from "@social-connect/testkit";
import { buildSchema, GraphQLError } from "graphql";
import { test } from "vitest";
import * as transport from "./index.ts";
import { validationMessage } from "./responses/validationMessage.ts";

const SCHEMA = buildSchema("type Query { ok: Boolean }");

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  checkMediaType: transport.checkMediaType,
  isPreparedWithoutKey: transport.isPreparedWithoutKey,
  isReadWithoutKey: transport.isReadWithoutKey,
  readDateTime: transport.readDateTime,
  readDecimalCount: transport.readDecimalCount,
  // A longer body is rejected before.
  readDocument: (text) =>
    transport.readDocument(text.slice(0, LIMITS.bodyBytes), {
      schema: SCHEMA,
      maxTokens: 1_500,
      checkLimits: () => null,
    }),
  needsNoKey: (text) => transport.needsNoKey(text.split(" ")),
  parseJson: transport.parseJson,
  readJsonObject: (text) => transport.readJsonObject(transport.parseJson(text)),
  readRequest: (text) => transport.readRequest({ contentType: "application/json", body: transport.parseJson(text) }),
  serializeError: (text) => transport.serializeError(new GraphQLError(text), "correlation-id"),
  showError: (text) => transport.showError(new GraphQLError(text), "correlation-id"),
  validationMessage,
  withArgument: (text) => transport.withArgument(`A DateTime must ${text}`, "publishedAfter"),
  withVariable: (text) => {
    const [, reason = text] = /; (.*)$/s.exec(text) ?? [];
    const options = { originalError: new GraphQLError(reason) };
    return transport.withVariable(new GraphQLError(`Variable "$window" got invalid value ${text}`, options));
  },
};

test.each(Object.entries(PARSERS))("%s takes 1 MiB of hostile text in under 100 ms", (_, parser) => {
  expectLinearTime(parser);
});
