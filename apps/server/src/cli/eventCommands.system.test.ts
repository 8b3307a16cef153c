import { randomUUID } from "node:crypto";
import { runStatement } from "@social-connect/testkit";
import { beforeEach, expect, test } from "vitest";
import { folder as dataFolder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { databaseUrl, KEY } from "./testing/commandLine.ts";
import { runInProcess } from "./testing/runInProcess.ts";

useFolderPerTest();

const URL_OF_EVENTS = "https://shop.example/events";
let environment: { readonly DATABASE_URL: string; readonly ENCRYPTION_KEYS: string };
let applicationId: string;

beforeEach(async () => {
  environment = { DATABASE_URL: await databaseUrl(), ENCRYPTION_KEYS: KEY };
  applicationId = randomUUID();
  await query(`
    INSERT INTO application (id, slug, display_name, web_origins, return_urls, identity_return_urls, providers, capabilities,
      tenant_keys, preview_return_paths, created_at, updated_at)
    VALUES ('${applicationId}', 'shop', 'Shop', '{}', '{}', '{}', '{}', '{}', '{}', '{}', now(), now())`);
});

const query = (statement: string) => runStatement(environment.DATABASE_URL, statement);
const run = (...parameters: string[]) => runInProcess(parameters, { DATA_DIR: dataFolder, ...environment });
const endpoint = (verb: string, ...more: string[]) =>
  run("client", "event-endpoint", verb, ...more, "--client", "shop", "--json");
const done = { exitCode: 0, stderr: "" };

test("an endpoint is added, listed, changed, rotated and removed, and each secret is printed once", async () => {
  const added = await endpoint("add", "--url", URL_OF_EVENTS, "--type", "job.failed", "--type", "job.succeeded");
  expect(added).toMatchObject(done);
  const { id, secret } = JSON.parse(added.stdout);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await endpoint("change", id, "--all-types", "--off")).toMatchObject(done);
  const rotated = JSON.parse((await endpoint("rotate", id)).stdout);
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  const listed = await endpoint("list");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id, url: URL_OF_EVENTS, types: [], enabled: false, turnedOffReason: "BY_ADMIN" },
  ]);
  expect(listed.stdout).not.toMatch(/whsec_|sealed/i);
  const text = await run("client", "event-endpoint", "list", "--client", "shop");
  expect(text.stdout).toMatch(/^id +url +types +on +off +failingSince +lastDelivery\n/);
  expect(await endpoint("remove", id)).toMatchObject(done);
  expect(JSON.parse((await endpoint("list")).stdout)).toEqual([]);
  const entries = await query("SELECT actor, action FROM audit_entry ORDER BY id");
  expect(entries.map(({ action }) => action)).toEqual([
    "Event endpoint added",
    "Event endpoint changed",
    "Event secret rotated",
    "Event endpoint removed",
  ]);
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(["System"]));
});

test("events are sent again, and with --failed only those that were not delivered", async () => {
  // The task queues.
  await run("migrate");
  const { id } = JSON.parse((await endpoint("add", "--url", URL_OF_EVENTS)).stdout);
  const since = new Date(Date.now() - 60_000).toISOString();
  await query("UPDATE event_endpoint SET created_at = created_at - interval '1 hour'");
  await query(`
    INSERT INTO event (id, application_id, type, occurred_at)
    SELECT gen_random_uuid(), '${applicationId}', 'job.failed', now() - interval '1 second' FROM generate_series(1, 3)`);
  await query(`
    INSERT INTO event_delivery (id, application_id, event_id, endpoint_id, status, tries, created_at)
    SELECT gen_random_uuid(), application_id, id, '${id}', 'SUCCEEDED', 1, now() FROM event LIMIT 1`);
  const resend = (...more: string[]) => run("events", "resend", "--client", "shop", "--since", since, ...more);
  expect(JSON.parse((await resend("--failed", "--json")).stdout)).toEqual({
    ...{ events: 2, deliveries: 2, since, failed: true },
  });
  expect((await resend()).stdout).toMatch(/^sends 3 deliveries of 3 events since .+ again; the worker delivers them$/);
  const waiting = await query("SELECT count(*)::int AS count FROM event_delivery WHERE status = 'WAITING'");
  expect(waiting).toEqual([{ count: 3 }]);
  await endpoint("change", id, "--off");
  expect((await resend()).stdout).toMatch(/^nothing to send: no endpoint/);
});

test.each([
  [["event-endpoint", "add", "--url", "http://shop.example/events"], 1, /https/],
  [["event-endpoint", "add", "--url", URL_OF_EVENTS, "--type", "test"], 2, /--type must be a type of event/],
  [["event-endpoint", "add"], 2, /required option '--url <url>' not specified/],
  [["event-endpoint", "change", "x", "--on"], 2, /the id of an event endpoint must be a UUID, not x/],
  [["event-endpoint", "change", randomUUID()], 2, /needs --url, --type, --all-types, --on or --off/],
  [["event-endpoint", "change", randomUUID(), "--on", "--off"], 2, /cannot be used with option '--off'/],
  [["event-endpoint", "rotate", randomUUID()], 1, /the client shop has no event endpoint with the id/],
])("the command line client %j is rejected with the reason", async (parameters, exitCode, message) => {
  const ended = await run("client", ...parameters, "--client", "shop");
  expect(ended).toMatchObject({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
});

test.each([
  [["--client", "shop", "--since", "yesterday"], 2, /--since must be a time such as/],
  [["--client", "shop"], 2, /required option '--since <time>' not specified/],
  [["--client", "nobody", "--since", "2027-01-31T12:00:00Z"], 1, /no client has the slug "nobody"/],
  [["--client", "shop", "--since", "2020-01-31T12:00:00Z"], 1, /Events are stored for 30 days\. Choose a later time\./],
  [["--client", "shop", "--since", "2100-01-31T12:00:00Z"], 1, /The time must be in the past\./],
])("the command line events resend %j is rejected with the reason", async (parameters, exitCode, message) => {
  const ended = await run("events", "resend", ...parameters);
  expect(ended).toMatchObject({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
});

test("without --client the commands need a running development environment", async () => {
  const ended = await run("client", "event-endpoint", "list", "--data", dataFolder);
  expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/no development environment runs in/) });
});
