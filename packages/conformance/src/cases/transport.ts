import { buildSchema } from "graphql";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { documentOf } from "../wire/documents.ts";
import { rawPost } from "./support/rawPost.ts";

const STATUS = "{ status { ok } }";

export const TRANSPORT_CASES = defineCasesWith({ readSafe: true })({
  "S4.status.answers": {
    title: "status responds without a key, with ok and a message.",
    run: async (t) => {
      const answer = await t.api.graphql(documentOf("status"), {}, { authorization: null });
      t.equal(answer.status, 200, "HTTP status");
      const status = answer.body?.data?.["status"] as { ok: boolean; message: string } | undefined;
      t.equal(status?.ok, true, "ok");
      t.matches(status?.message, /./, "message");
    },
  },
  ...caseForEach(
    ["text/event-stream", "multipart/mixed", "text/html", "*/*", "application/graphql-response+json"],
    (accept) => ({
      id: `S4.transport.accept-${accept.replace(/\W+/g, "-")}`,
      title: `For the Accept header ${accept} the response is JSON or a refusal, never a stream or a page.`,
      run: async (t) => {
        const answer = await t.api.graphql(STATUS, {}, { headers: { accept } });
        t.matches(answer.headers.get("content-type"), /json/, "content type");
        t.holds(answer.body !== null, "the body is a JSON object");
      },
    }),
  ),
  "S8.body.limit-characters": {
    title: "The body limit counts bytes and not characters.",
    run: async (t) => {
      const wide = JSON.stringify({ query: STATUS, variables: { x: "é".repeat(33_000) } });
      t.holds(wide.length < 65_536, "fewer characters than the limit");
      t.equal((await t.api.send(wide)).status, 413, "more bytes than the limit");
    },
  },
  "S8.body.limit-chunked": {
    title: "A body without Content-Length has the same limit.",
    run: async (t) => {
      const stream = (bytes: number) => {
        const whole = new TextEncoder().encode(JSON.stringify({ query: STATUS }).padEnd(bytes, " "));
        return new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < whole.length; at += 8_192) controller.enqueue(whole.slice(at, at + 8_192));
            controller.close();
          },
        });
      };
      t.equal((await t.api.send(stream(65_536))).status, 200, "65,536 bytes in chunks");
      t.equal((await t.api.send(stream(65_537))).status, 413, "65,537 bytes in chunks");
    },
  },
  "S4.transport.typename": {
    title: "__typename is accepted.",
    run: async (t) => {
      const answer = await t.api.graphql("{ __typename status { __typename ok } }");
      t.equal(answer.body?.data, { __typename: "Query", status: { __typename: "ApiStatus", ok: true } }, "data");
    },
  },
  "S4.transport.cors": {
    title: "No response is readable by other web pages: no CORS headers on calls and preflights.",
    run: async (t) => {
      const origin = t.application.webOrigin;
      const call = await t.api.graphql(STATUS, {}, { headers: { origin } });
      const preflight = await t.api.send(null, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
      });
      for (const [what, answer] of Object.entries({ call, preflight })) {
        const names = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
        t.equal(names, [], `CORS headers of the ${what}`);
      }
    },
  },
  "S4.transport.absolute-form": {
    title: "A target in absolute form is served like its path if its host is the service's; any other is refused.",
    needs: ["raw-socket"],
    readSafe: false,
    run: async (t) => {
      const { baseUrl } = t.application;
      const post = (target: string, host = "other.example.test") =>
        rawPost(baseUrl, target, ["Content-Type: application/json"], JSON.stringify({ query: STATUS }), [host]);
      const { host, port } = new URL(baseUrl);
      for (const own of [host, `127.0.0.1:${port}`, "localhost", "[::1]:1"])
        t.matches(await post(`http://${own}/graphql`), /"ok":true/, `http://${own}, with another Host header`);
      for (const other of [
        `user@${host}`,
        "other.example.test",
        `${host}.example.test`,
        `other.example.test@${host}`,
      ]) {
        const answer = await post(`http://${other}/graphql`, host);
        t.matches(answer, /^HTTP\/1\.1 4\d\d/, `http://${other}`);
        t.holds(!/"ok":true/.test(answer), "nothing ran");
      }
    },
  },
  "S4.transport.correlation-id": {
    title: "Every response has its own correlation id in a header, which is that of its errors.",
    run: async (t) => {
      const ids = new Set<string>();
      const padded = JSON.stringify({ query: STATUS }).padEnd(65_537, " ");
      for (const [what, answer] of Object.entries({
        data: await t.api.graphql(STATUS),
        again: await t.api.graphql(STATUS),
        refused: await t.api.graphql(documentOf("integrationReadiness"), {}, { authorization: null }),
        invalid: await t.api.graphql("{ unknown }"),
        "not JSON": await t.api.send("{"),
        "too large": await t.api.send(padded),
      })) {
        const id = answer.headers.get("x-correlation-id") ?? "";
        t.matches(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, `header of: ${what}`);
        t.holds(!ids.has(id), `a new id for: ${what}`);
        ids.add(id);
        for (const { extensions } of answer.body?.errors ?? [])
          t.equal(extensions?.correlationId, id, `errors of: ${what}`);
      }
    },
  },
  ...caseForEach(
    Object.entries({
      library: "sdk/1.2.3",
      text: '<script>alert("x")</script>',
      long: `sdk/1.2.3-${"x".repeat(6_000)}`,
    }),
    ([name, value]) => ({
      id: `S4.transport.client-header-${name}`,
      title: `The client header with a ${name} does not change the response.`,
      run: async (t) => {
        const named = await t.api.graphql(STATUS, {}, { headers: { "x-social-connect-client": value } });
        t.equal([named.status, named.body], [200, { data: { status: { ok: true } } }], "response");
      },
    }),
  ),
  "S4.transport.schema-text": {
    title: "The schema is published with every operation.",
    readSafe: false,
    run: async (t) => {
      const answer = await t.api.send(null, { method: "GET", path: "/schema.graphql", authorization: null });
      t.equal(answer.status, 200, "HTTP status");
      const schema = buildSchema(answer.text);
      const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
        Object.keys(type?.getFields() ?? {}),
      );
      t.equal(fields.length, 14, "8 queries and 6 mutations");
    },
  },
});
