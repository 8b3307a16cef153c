import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminQuery, server, useAdminServer } from "../http/testing/adminServer.ts";
import { query } from "../http/testing/testServer.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication, issueKey } from "../modules/testing/builders.ts";
import { service } from "../modules/testing/fixtures.ts";
import { documentPrepared } from "./shared/documents.ts";

useAdminServer();

const READY = "{ integrationReadiness { idpIdentityAvailable } }";
let prepared: string[] = [];
const note = (message: unknown) => void prepared.push((message as { text: string }).text);

beforeAll(() => documentPrepared.subscribe(note));
beforeEach(() => {
  prepared = [];
});
afterAll(() => void documentPrepared.unsubscribe(note));

/** Unique names give documents that no other test has sent. */
const named = (name: string) => `query ${name} ${READY}`;

test("a document without a key is prepared each time, except for common `status` documents", async () => {
  const text = "query Keyless { status { ok } }";
  for (const _ of [1, 2, 3]) expect((await query(server, null, text)).data).toEqual({ status: { ok: true } });
  expect(prepared).toEqual([text, text, text]);
  expect((await query(server, null, "{ status { ok } }")).data).toEqual({ status: { ok: true } });
  expect(prepared).toHaveLength(3);
});

test("an application's document is prepared once, for all of its keys and for no other application", async () => {
  const text = named("Own");
  const application = await createApplication(service, "first");
  const secondKey = await issueKey(service, application.id);
  const other = await createApplication(service, "other");
  for (const key of [application.key, application.key]) expect((await query(server, key, text)).code).toBeUndefined();
  expect(prepared).toEqual([text]);
  // The application of a key is known once the key was authenticated.
  await query(server, secondKey, named("Introduction"));
  await query(server, secondKey, text);
  expect(prepared).toEqual([text, named("Introduction")]);
  await query(server, other.key, text);
  expect(prepared).toEqual([text, named("Introduction"), text]);
});

test("a rejected key has nothing cached, even with a valid key id", async () => {
  const { key } = await createApplication(service, "refused");
  const wrong = `${key.slice(0, 37)}${"0".repeat(64)}`;
  for (const _ of [1, 2]) expect((await query(server, wrong, named("Wrong"))).code).toBe("UNAUTHENTICATED");
  expect(prepared).toEqual([named("Wrong"), named("Wrong")]);
  expect((await query(server, key, named("Wrong"))).code).toBeUndefined();
  expect((await query(server, wrong, named("Wrong"))).code).toBe("UNAUTHENTICATED");
});

test("an admin's document is prepared once, and a rejected one each time", async () => {
  const { key } = await createApiKey(service, await createAdminMember(service), "READ");
  const [good, refused] = ["query Good { previewTemplate { template } }", "query Refused { apiKeys { items { id } } }"];
  for (const text of [good, good, refused, refused]) await adminQuery(server, key, text);
  expect(prepared).toEqual([good, refused, refused]);
});
