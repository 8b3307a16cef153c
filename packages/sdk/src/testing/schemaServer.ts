import { json } from "node:stream/consumers";
import { CORRELATION_ID } from "@social-connect/sdk-core/testing/replies";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { checkDocumentLimits } from "@social-connect/transport";
import { graphql, parse } from "graphql";
import { onTestFinished } from "vitest";
import { SocialConnect } from "../client.ts";
import type { SocialConnectOptions } from "../wire/settings.ts";
import { KEY, type RecordedCall, SCOPE } from "./fakeApi.ts";
import { OPERATION_CALLS } from "./operationCalls.ts";
import { PUBLISHED_SCHEMA } from "./shippedDocuments.ts";

/**
 * An HTTP server that runs documents on the published schema, within the service's limits, with a valid value for each
 * operation; and a client of it.
 */
export async function schemaServer(
  values: Readonly<Record<string, unknown>> = {},
  options: Partial<SocialConnectOptions> = {},
) {
  const requests: (Pick<RecordedCall, "body"> & { readonly headers: NodeJS.Dict<string[]> })[] = [];
  const good = Object.fromEntries(Object.entries(OPERATION_CALLS).map(([name, { good: value }]) => [name, value]));
  const rootValue = { ...good, ...values };
  const { url, close } = await listening(async (request, response) => {
    const body = (await json(request)) as RecordedCall["body"];
    requests.push({ headers: request.headersDistinct, body });
    const { query: source, variables: variableValues } = body;
    const violation = checkDocumentLimits(parse(source));
    const run = () => graphql({ schema: PUBLISHED_SCHEMA, source, rootValue, variableValues });
    const result = violation === null ? await run() : { errors: [violation] };
    const extensions = { code: "BAD_USER_INPUT", correlationId: CORRELATION_ID };
    const errors = result.errors?.map(({ message }) => ({ message, extensions }));
    const headers = { "content-type": "application/json", "x-correlation-id": CORRELATION_ID };
    response.writeHead(200, headers).end(JSON.stringify({ ...result, ...(errors && { errors }) }));
  });
  onTestFinished(close);
  const social = new SocialConnect({ baseUrl: url, key: KEY, ...options });
  return { social, user: social.forSubject(SCOPE), requests, url };
}
