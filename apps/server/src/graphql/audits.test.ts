import { serverAudits } from "graphql-http";
import { beforeAll, describe, expect, test } from "vitest";
import { server, service, useAdminServer } from "../http/testing/adminServerOfFile.ts";
import { bearer } from "../http/testing/testServer.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { startPermissiveServer } from "./testing/permissiveServer.ts";
import { type Ask, SECURITY_AUDITS } from "./testing/securityAudits.ts";

useAdminServer();

/** Audits of GraphQL over HTTP that the service fails by design, with the reason. A passing audit may not be listed. */
const RULED_OUT: Readonly<Record<string, string>> = {
  "22EB": "responses are application/json, regardless of Accept",
  BF61: "the audit uses introspection, which is disabled: the schema is published as a file",
  "5A70": "GET is not served",
  "2EA1": "the audit uses introspection",
  "28B9": "the audit uses introspection",
  D6D5: "GET is not served",
  "6A70": "GET is not served",
  "572B": "a document with a syntax error returns 400",
  FDE2: "an invalid document returns 400",
  "7B9B": "invalid variables return 400",
};

const ALSO_RULED_OUT_ON_ADMIN: Readonly<Record<string, string>> = {
  D586: "a response with errors always has `data`, null when nothing ran",
  "5E5B": "a response with errors always has `data`, null when nothing ran",
};

const asks: { consumer?: Ask; anonymous?: Ask; admin?: Ask } = {};

beforeAll(async () => {
  const { key } = await createApplication(service);
  const { key: adminKey } = await createApiKey(service, await createAdminMember(service), "WRITE");
  asks.consumer = { url: `${server.url}/graphql`, headers: bearer(key) };
  asks.anonymous = { url: `${server.url}/graphql`, headers: {} };
  asks.admin = { url: `${server.url}/api/admin/graphql`, headers: bearer(adminKey) };
});

function askOf(name: keyof typeof asks): Ask {
  const ask = asks[name];
  if (ask === undefined) throw new Error(`There is no ${name} endpoint.`);
  return ask;
}

async function findingsAt(ask: Ask): Promise<string[]> {
  const findings: string[] = [];
  for (const { name, send, isFinding } of SECURITY_AUDITS) {
    if (isFinding(await (await send(ask)).text())) findings.push(name);
  }
  return findings;
}

describe.each(["consumer", "anonymous", "admin"] as const)("%s", (name) => {
  test("security audits: 12 of 12 pass", async () => {
    expect(SECURITY_AUDITS).toHaveLength(12);
    expect(await findingsAt(askOf(name))).toEqual([]);
  });

  test("GraphQL over HTTP: every audit passes except the listed ones", async () => {
    const { url, headers } = askOf(name);
    const fetchFn = (input: string, init?: RequestInit) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
    const results = await Promise.all(serverAudits({ url, fetchFn }).map((audit) => audit.fn()));
    expect(results.length).toBeGreaterThan(50);
    const failing = results.filter(({ status }) => status !== "ok").map(({ id }) => id);
    const ruledOut = { ...RULED_OUT, ...(name === "admin" ? ALSO_RULED_OUT_ON_ADMIN : {}) };
    expect(failing.sort()).toEqual(Object.keys(ruledOut).sort());
  });
});

test("each security audit finds its weakness in an endpoint that has it", async () => {
  const permissive = await startPermissiveServer();
  try {
    expect(await findingsAt({ url: `${permissive.url}/graphql`, headers: {} })).toEqual(
      SECURITY_AUDITS.map(({ name }) => name),
    );
  } finally {
    await permissive.close();
  }
});
