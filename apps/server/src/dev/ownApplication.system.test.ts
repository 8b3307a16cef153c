import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { signIn } from "@social-connect/simulator";
import { type LocalServer, reservePorts, serve } from "@social-connect/testkit";
import * as openId from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  call,
  DEV_PORTS,
  type DevPlace,
  makeDevPlace,
  type RunningDev,
} from "../../../../packages/testkit/src/harness/devPlace.ts";
import { runCommand } from "../cli/testing/commandLine.ts";
import { runInProcess } from "../cli/testing/runInProcess.ts";
import { SYSTEM } from "../modules/admin/actor.ts";
import { sendTestEvent } from "../modules/events/endpoints.ts";
import { operateDev } from "./operateDev.ts";

const ORIGIN = "http://localhost:3000";
const RETURN_URL = `${ORIGIN}/connected`;
const NAME = "Harbor Shop";
const OWN = ["--name", NAME, "--origin", "http://localhost:5173", "--return-url", RETURN_URL, "--tenant", "acme"];
const SIGN_IN_URL = `${ORIGIN}/auth/callback`;
const IDENTITY = ["--identity-return-url", `${ORIGIN}/signed-in`];

let place: DevPlace;
let running: RunningDev;
let environmentFile: string;

/** Events that the application has received. */
const events: { readonly id: string | undefined; readonly body: string }[] = [];
let receiver: LocalServer;

beforeAll(async () => {
  receiver = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      events.push({ id: request.headersDistinct["webhook-id"]?.[0], body: Buffer.concat(parts).toString() });
      response.writeHead(204).end();
    });
  });
  place = await makeDevPlace();
  environmentFile = join(place.dataFolder, ".env");
  const received = ["--events", `${receiver.url}/events`];
  const written = ["--write-env", environmentFile];
  running = await place.start(...OWN, ...IDENTITY, "--sign-in-url", SIGN_IN_URL, ...received, ...written);
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await receiver?.close();
});

/** A command for the running environment, as a person would type it. */
async function client(...parameters: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const all = ["client", ...parameters, "--data", place.dataFolder];
  const { exitCode: code, stdout, stderr } = await runInProcess(all, { HOME: process.env.HOME ?? "" });
  return { code, stdout, stderr };
}

async function lists(): Promise<Record<"origins" | "returnUrls" | "identityReturnUrls" | "tenantKeys", string[]>> {
  const { slug: _, ...shown } = JSON.parse((await client("show", "--json")).stdout);
  return shown;
}

async function connect(tenantKey: string, returnUrl: string): Promise<unknown> {
  const { consumer } = running.dev;
  const scope = `{ tenantKey: "${tenantKey}", externalSubjectId: "user-1" }`;
  const input = `{ scope: ${scope}, provider: PROVIDER_A, capabilities: [PROFILE], returnUrl: "${returnUrl}" }`;
  return call(running.dev, consumer.key, `mutation { createConnectSession(input: ${input}) { launchUrl } }`);
}

const ACCEPTED = { data: { createConnectSession: { launchUrl: expect.any(String) } } };
const REFUSED = { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] };

test("an application of the integrator's own can connect its users, and the example still works", async () => {
  expect(await connect("acme", RETURN_URL)).toEqual(ACCEPTED);
  expect(await connect("acme-studio", running.dev.consumer.returnUrl)).toEqual(ACCEPTED);
  // The control: what was not registered is refused.
  expect(await connect("acme", `${ORIGIN}/other`)).toMatchObject(REFUSED);
  const { exampleUrl } = running.dev;
  expect(await lists()).toMatchObject({
    origins: [exampleUrl, "http://localhost:5173", ORIGIN],
    identityReturnUrls: [`${exampleUrl}/identity-return`, `${ORIGIN}/signed-in`],
  });
});

test("the start prints the environment of the application without the key, and writes it with the key", async () => {
  const { baseUrl, key } = running.dev.consumer;
  await expect.poll(() => running.output()).toContain("Press Ctrl-C");
  const output = running.output();
  expect(output).toContain(`SOCIAL_CONNECT_URL=${baseUrl}`);
  expect(output).toContain("SOCIAL_CONNECT_TENANT=acme\n");
  expect(output).toContain(`RETURN_URL=${RETURN_URL}`);
  expect(output).toContain(`They are in ${environmentFile}, with the key.`);
  expect(output).not.toContain(key.split(".")[1]);
  const written = await readFile(environmentFile, "utf8");
  expect(written).toContain(`SOCIAL_CONNECT_KEY=${key}\n`);
  expect((await stat(environmentFile)).mode & 0o777).toBe(0o600);
});

test("its events are sent to it, signed with the secret of its environment, and printed as one line each", async () => {
  const { consumer, databaseUrl } = running.dev;
  const secret = consumer.eventSecret ?? "";
  expect(secret).toMatch(/^whsec_/);
  expect(await readFile(environmentFile, "utf8")).toContain(`SOCIAL_CONNECT_EVENT_SECRET='${secret}'\n`);
  const { id: eventId } = await operateDev(databaseUrl, async (service) => {
    const { id } = await service.prisma.eventEndpoint.findFirstOrThrow();
    return sendTestEvent(service, SYSTEM, id);
  });
  await expect.poll(() => events).toContainEqual({ id: eventId, body: expect.stringContaining('"type":"test"') });
  const line = `[worker] test to ${receiver.url}: 204 (attempt 1, event ${eventId})`;
  await expect.poll(() => running.errors()).toContain(line);
  expect(running.output() + running.errors()).not.toContain(secret);
});

test("the consent page and the panel name the application", async () => {
  const admin = await fetch(`${running.dev.admin.host}/api/admin/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${running.dev.admin.readKey}` },
    body: JSON.stringify({ query: "{ adminClients { items { slug displayName } } }" }),
  });
  expect(await admin.text()).toContain(`{"slug":"demo-app","displayName":"${NAME}"}`);
  const scope = `{ tenantKey: "acme", externalSubjectId: "user-named" }`;
  const input = `{ scope: ${scope}, provider: PROVIDER_A, capabilities: [PROFILE], returnUrl: "${RETURN_URL}" }`;
  const text = `mutation { createConnectSession(input: ${input}) { launchUrl launchToken } }`;
  const { data } = (await call(running.dev, running.dev.consumer.key, text)) as {
    data: { createConnectSession: { launchUrl: string; launchToken: string } };
  };
  const { launchUrl, launchToken } = data.createConnectSession;
  const body = new URLSearchParams({ launchToken });
  const consent = await fetch(launchUrl, { method: "POST", body, headers: { origin: ORIGIN } });
  expect(await consent.text()).toContain(`Allow ${NAME} to read your account?`);
});

test("its own sign-in has a client at the issuer, which cannot use the redirect URL of the panel", async () => {
  const execute = [openId.allowInsecureRequests];
  const configuration = await openId.discovery(new URL(running.dev.issuerUrl), "my-app", "my-app-secret", undefined, {
    execute,
  });
  const pkceCodeVerifier = openId.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: SIGN_IN_URL,
    scope: "openid email",
    code_challenge: await openId.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  };
  const callback = await signIn(openId.buildAuthorizationUrl(configuration, parameters), { person: "ada" });
  const tokens = await openId.authorizationCodeGrant(configuration, callback, { pkceCodeVerifier });
  expect(tokens.claims()).toMatchObject({ aud: "my-app", email: expect.stringContaining("ada") });
  const ofPanel = { ...parameters, redirect_uri: `${running.dev.connectHost}/panel/callback` };
  const refused = await fetch(openId.buildAuthorizationUrl(configuration, ofPanel), { redirect: "manual" });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("redirect_uri")]);
});

test("prints one line for a refused call: the operation, the code, the message and the correlation id", async () => {
  const answer = await connect("acme", `${RETURN_URL}/`);
  const { message, extensions } = (answer as { errors: [{ message: string; extensions: Record<string, string> }] })
    .errors[0];
  expect(message).toContain("the path has no slash at the end. Register yours");
  const command = "npx @social-connect/server client add";
  expect(message).toContain(command);
  // In a clone, and for the data folder that `dev` was started with.
  const shown = message.replace(command, `npx --yes pnpm@12 client add --data ${place.dataFolder}`);
  const line = `[api] createConnectSession was refused: BAD_USER_INPUT. ${shown} (correlation id ${extensions["correlationId"]})`;
  await expect.poll(() => running.errors()).toContain(line);
});

test.each([
  ["an invalid document", { query: "{ integrationReadiness { unknown } }" }, "integrationReadiness"],
  ["a batch", [{ query: "{ status { ok } }" }], "A call to the consumer API"],
  ["a body over the limit", { query: `{ status { ok } } ${" ".repeat(70_000)}` }, "A call to the consumer API"],
])("the line for %s names the operation or the API", async (_, body, what) => {
  const { key, baseUrl } = running.dev.consumer;
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  const id = response.headers.get("x-correlation-id");
  await expect
    .poll(() => running.errors())
    .toMatch(new RegExp(`^\\[api\\] ${what} was refused: [A-Z_]+\\. [^\\n]+ \\(correlation id ${id}\\)$`, "m"));
  expect(running.errors().split(String(id))).toHaveLength(2);
});

test("the addresses that it prints have pages", async () => {
  const { dev } = running;
  const pages = [...Object.values(dev.providerUrls), dev.simulatorUrl, dev.issuerUrl, dev.exampleUrl];
  for (const url of pages) {
    const response = await fetch(url, { headers: { accept: "text/html" } });
    expect([url, response.status, (await response.text()).includes("<h1>")]).toEqual([url, 200, true]);
  }
  const api = await fetch(`${dev.consumer.baseUrl}/graphql`);
  expect([api.status, await api.text()]).toEqual([405, expect.stringContaining("The schema is at /schema.graphql.")]);
});

test("addresses can be added, shown and removed while it runs", async () => {
  const added = await client("add", "--return-url", "http://localhost:8080/done", "--tenant", "globex");
  expect([added.code, added.stderr]).toEqual([0, ""]);
  expect(await connect("globex", "http://localhost:8080/done")).toEqual(ACCEPTED);
  expect(added.stdout).not.toContain(running.dev.consumer.key.split(".")[1]);

  // The same again changes nothing.
  const before = await lists();
  expect((await client("add", "--return-url", "http://localhost:8080/done", "--tenant", "globex")).code).toBe(0);
  expect(await lists()).toEqual(before);

  const inUse = await client("remove", "--origin", "http://localhost:8080");
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining("A return URL uses this origin.") });
  const removal = ["--return-url", "http://localhost:8080/done", "--origin", "http://localhost:8080"];
  const removed = await client("remove", ...removal, "--tenant", "globex");
  expect(removed.code).toBe(0);
  // Also not as the environment of the application.
  expect(removed.stdout).not.toMatch(/:8080|globex$/m);
  expect(await connect("acme", "http://localhost:8080/done")).toMatchObject(REFUSED);
});

test("a wrong value is refused before anything starts or changes", async () => {
  const message =
    "--origin must have a scheme, a host and a port only; write http://localhost:3000, not localhost:3000";
  const port = String(await reservePorts(DEV_PORTS));
  const data = `${place.dataFolder}-none`;
  const second = await runCommand(["dev", "--port", port, "--data", data, "--origin", "localhost:3000"]);
  expect(second).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  const events = ["dev", "--data", `${place.dataFolder}-none`, "--events", "http://app.example.com/events"];
  expect(await runInProcess(events, {})).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--events: The address must be https."),
  });
  const wrong = ["dev", "--data", `${place.dataFolder}-none`, "--sign-in-url", "/auth/callback"];
  expect(await runInProcess(wrong, {})).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--sign-in-url must be a whole URL"),
  });
  expect(await client("add", "--origin", "localhost:3000")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
  expect(await client("add")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs --origin, --return-url"),
  });
});

test("entries stay over a restart on other ports, and the example's URLs move to the new ones", async () => {
  const before = await lists();
  const oldExample = running.dev.exampleUrl;
  running.supervisor.kill("SIGTERM");
  await running.ended;
  const moved = await makeDevPlace({ dataFolder: place.dataFolder });
  running = await moved.start();
  place = moved;
  const { exampleUrl } = running.dev;
  expect(exampleUrl).not.toBe(oldExample);
  const after = await lists();
  const follow = (urls: string[]) => urls.map((url) => url.replace(oldExample, exampleUrl)).toSorted();
  for (const [name, urls] of Object.entries(before)) {
    expect(after[name as keyof typeof after].toSorted(), name).toEqual(follow(urls));
  }
  expect(await connect("acme", RETURN_URL)).toEqual(ACCEPTED);
  expect(await connect("acme-studio", running.dev.consumer.returnUrl)).toEqual(ACCEPTED);
  // Without options, what an earlier start registered is printed.
  await expect.poll(() => running.output()).toContain(`RETURN_URL=${RETURN_URL}`);
  expect(running.output()).toContain("--write-env .env writes them to a file");

  // The absence of an entry that was removed stays, too.
  const removed = await client("remove", "--return-url", running.dev.consumer.returnUrl);
  expect(removed.code).toBe(0);
  running.supervisor.kill("SIGTERM");
  await running.ended;
  expect(await client("show")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no development environment runs in"),
  });
  running = await place.start();
  expect((await lists()).returnUrls).toEqual([RETURN_URL]);
});
