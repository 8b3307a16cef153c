import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { makeDevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";
import { Visitor } from "../../../packages/testkit/src/visitor.ts";
import { goThroughConsent } from "../../demo/src/browser.ts";
import { parseForm } from "../../demo/src/htmlForm.ts";
import { startWorker } from "./testing/workerRuntime.ts";

const NODE_PROGRAM = fileURLToPath(new URL("./node.ts", import.meta.url));

const place = await makeDevPlace();
afterAll(() => place[Symbol.asyncDispose]());
const { dev } = await place.start();
const { returnUrl } = dev.consumer;
const ENVIRONMENT = {
  SOCIAL_CONNECT_URL: dev.consumer.baseUrl,
  SOCIAL_CONNECT_KEY: dev.consumer.key,
  SOCIAL_CONNECT_TENANT: String(dev.consumer.tenantKeys[0]),
  RETURN_URL: returnUrl,
  SESSION_SECRET: "0123456789abcdef0123456789abcdef",
};

/** From the button through the consent and back to the posts, at the service itself. */
async function connectAndLook(visitor: Visitor, provider: string): Promise<string> {
  const launch = parseForm((await visitor.post("/connect", { provider })).text);
  const token = launch?.fields.find(([name]) => name === "launchToken")?.[1] ?? "";
  const back = await goThroughConsent(launch?.action ?? "", token, returnUrl);
  const { location } = await visitor.get(back.pathname + back.search);
  expect(location).toMatch(/^\/posts\/[0-9a-f-]+$/);
  expect((await visitor.get("/")).text).toContain(`href="${location}"`);
  return (await visitor.get(String(location))).text;
}

test("runs against the service in a worker runtime without Node APIs", async () => {
  const worker = await startWorker(ENVIRONMENT);
  expect(["process", "Buffer", "require"].filter((name) => worker.has(name))).toEqual([]);
  const visitor = new Visitor((url, init) => worker.fetch(url, init), new URL(returnUrl).origin);
  expect(await connectAndLook(await visitor.signIn(), "PROVIDER_A")).toContain("<h1>Posts of ");
});

test("as a Node process the same application runs against the service, and ends on SIGTERM", async () => {
  const child = spawn(process.execPath, ["--conditions=@social-connect/source", NODE_PROGRAM], {
    env: { PATH: process.env.PATH, ...ENVIRONMENT, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const address = /ready at (http:\S+)/.exec(line.toString())?.[1] ?? "";
    // It is reached at another port here than its pages are for, as behind a proxy.
    const visitor = new Visitor(
      (url, init) => fetch(url.replace(new URL(returnUrl).origin, address), { ...init, redirect: "manual" }),
      new URL(returnUrl).origin,
    );
    expect(await connectAndLook(await visitor.signIn("ben"), "PROVIDER_B")).toContain("<h1>Posts of ");
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
});
