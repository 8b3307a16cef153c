import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bySlug, PROVIDER_SLUGS } from "@social-connect/domain";
import { signIn } from "@social-connect/simulator";
import { reservePorts } from "@social-connect/testkit";
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
import { cookiesOf, locationOf, visit } from "../http/testing/visits.ts";

let place: DevPlace;
let running: RunningDev;
const dev = () => running.dev;

// The first start on a machine also builds the panel.
beforeAll(async () => {
  place = await makeDevPlace({ hasPanel: true });
  running = await place.start();
});

afterAll(() => place[Symbol.asyncDispose]());

test("dev.json contains everything that programs need and is readable only by its owner", async () => {
  const at = (offset: number) => `http://127.0.0.1:${place.firstPort + offset}`;
  expect(dev()).toEqual({
    consumer: {
      baseUrl: at(0),
      key: expect.stringMatching(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/),
      slug: "demo-app",
      tenantKeys: [expect.any(String), expect.any(String)],
      returnUrl: expect.stringContaining(at(3)),
      identityReturnUrl: expect.stringContaining(at(3)),
    },
    otherApplication: {
      key: expect.stringMatching(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/),
      tenantKey: expect.any(String),
      returnUrl: expect.any(String),
    },
    connectHost: at(0),
    admin: {
      host: at(0),
      panelUrl: `${at(0)}/panel`,
      email: "admin@example.test",
      readKey: expect.stringMatching(/^scadm_[0-9a-f-]{36}\.[0-9a-f]{64}$/),
      writeKey: expect.stringMatching(/^scadm_[0-9a-f-]{36}\.[0-9a-f]{64}$/),
    },
    simulatorUrl: at(1),
    providerUrls: bySlug((slug) => at(6 + PROVIDER_SLUGS.indexOf(slug))),
    issuerUrl: at(2),
    exampleUrl: at(3),
    databaseUrl: expect.stringMatching(/^postgres:\/\/.+@127\.0\.0\.1:\d+\/social_connect$/),
    clockUrl: null,
    pid: running.supervisor.pid,
    processes: {
      api: expect.any(Number),
      worker: expect.any(Number),
      simulator: expect.any(Number),
      example: expect.any(Number),
      database: expect.any(Number),
    },
  });
  expect((await stat(join(place.dataFolder, "dev.json"))).mode & 0o777).toBe(0o600);
});

test("both applications' keys work, and every provider can be connected", async () => {
  const query = "{ integrationReadiness { providers { available } idpIdentityAvailable } }";
  for (const key of [dev().consumer.key, dev().otherApplication.key]) {
    expect(await call(dev(), key, query)).toEqual({
      data: {
        integrationReadiness: {
          providers: PROVIDER_SLUGS.map(() => ({ available: true })),
          idpIdentityAvailable: true,
        },
      },
    });
  }
});

test("both admin keys work within their scope", async () => {
  const { host, readKey, writeKey } = dev().admin;
  const ask = async (key: string, query: string, variables = {}) => {
    const response = await fetch(`${host}/api/admin/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    return response.json() as Promise<{
      data: { adminClients: { items: { id: string; slug: string }[] } };
      errors?: unknown[];
    }>;
  };
  const { items } = (await ask(readKey, "{ adminClients { items { id slug } } }")).data.adminClients;
  expect(items.map(({ slug }) => slug)).toEqual(["demo-app", "other-app"]);
  const change = 'mutation($id: ID!) { setClientDisplayName(id: $id, displayName: "Other Studio") { slug } }';
  const refused = await ask(readKey, change, { id: items[1]?.id });
  expect(refused.errors).toMatchObject([{ extensions: { code: "FORBIDDEN", reason: "API_KEY_READ_ONLY" } }]);
  expect(await ask(writeKey, change, { id: items[1]?.id })).toEqual({
    data: { setClientDisplayName: { slug: "other-app" } },
  });
});

test("no secret is in a command line, which every user of the machine can read", async () => {
  const secrets = [dev().consumer.key, dev().otherApplication.key, dev().databaseUrl].flatMap((text) =>
    text.split(/[.:@]/),
  );
  for (const pid of Object.values(dev().processes)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8");
    for (const secret of secrets.filter((part) => part.length > 30)) expect(commandLine).not.toContain(secret);
  }
});

test("the panel is served from its sources: page, code and style", async () => {
  const answer = await fetch(`${dev().admin.panelUrl}/clients`);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "none";
  expect(page).toContain(`nonce="${nonce}"`);
  const files = [...page.matchAll(/(?:src|href)="(\/panel\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.filter((path) => path.endsWith(".js"))).not.toEqual([]);
  expect(files.filter((path) => path.endsWith(".css"))).not.toEqual([]);
  for (const path of files) {
    const file = await fetch(new URL(path, dev().admin.host), { headers: { "accept-encoding": "br" } });
    expect([path, file.status]).toEqual([path, 200]);
    await file.body?.cancel();
  }
});

test("the admin of dev.json can sign in at the issuer", async () => {
  const begun = await visit(`${dev().admin.panelUrl}/sign-in`);
  const back = await signIn(locationOf(begun), { person: "admin" });
  const landed = await visit(back, cookiesOf(begun));
  expect([landed.status, locationOf(landed)]).toEqual([303, dev().admin.panelUrl]);
  const session = await visit(`${dev().admin.panelUrl}/session`, cookiesOf(landed));
  expect(await session.json()).toMatchObject({ email: dev().admin.email });
  // The control: without the cookie the session is refused.
  expect((await fetch(`${dev().admin.panelUrl}/session`)).status).toBe(401);
});

test("commands use the database of the running environment", async () => {
  const listed = await runInProcess(["admin", "list", "--json"], { DATA_DIR: place.dataFolder });
  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toContain(dev().admin.email);
});

test("a second start on the same data fails and changes nothing", async () => {
  const port = await reservePorts(DEV_PORTS);
  const second = await runCommand(["dev", "--port", String(port), "--data", place.dataFolder]);
  expect(second).toMatchObject({
    exitCode: 1,
    stderr: `social-connect: the data in ${place.dataFolder} is in use by process ${dev().pid}; stop that process first, or set DATA_DIR (\`dev\`: --data) to another`,
  });
  expect(await call(dev(), dev().consumer.key, "{ status { ok } }")).toEqual({
    data: { status: { ok: true } },
  });
});

test("a port in use is reported before anything is started", async () => {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-dev-"));
  const port = await reservePorts(DEV_PORTS);
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port + 2, "127.0.0.1", resolve));
  try {
    const refused = await runCommand(["dev", "--port", String(port), "--data", folder]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`port ${port + 2} \\(issuer\\) is in use; choose another .* --port N`));
    expect(await readdir(folder)).toEqual([]);
  } finally {
    holder.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a killed process is restarted, and dev.json has the new process id", async () => {
  const killed = dev().processes.worker as number;
  process.kill(killed, "SIGKILL");
  const pidNow = async () => (await place.devFile())?.processes.worker ?? killed;
  await expect.poll(pidNow).not.toBe(killed);
});
