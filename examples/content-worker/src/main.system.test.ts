import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SocialConnect } from "@social-connect/sdk";
import { afterAll, expect, test } from "vitest";
import { makeDevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";
import { goThroughConsent } from "../../demo/src/browser.ts";
import { Store } from "./store.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

const folder = await mkdtemp(join(tmpdir(), "social-connect-content-worker-"));
const place = await makeDevPlace();

afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function runWorker(environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...environment };
  return promisify(execFile)(process.execPath, [...FLAGS, MAIN, "--once"], { env });
}

test("the program reads the posts of a linked account from the service into its file", async () => {
  const { dev } = await place.start();
  const { baseUrl, key, tenantKeys, returnUrl } = dev.consumer;
  const social = new SocialConnect({ baseUrl, key });
  const scope = { tenantKey: String(tenantKeys[0]), externalSubjectId: "worker-user" };
  const user = social.forSubject(scope);
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl,
  });
  await goThroughConsent(session.launchUrl, session.launchToken.reveal(), returnUrl);
  const result = await user.connectResult(session.id).wait();
  expect(result.status).toBe("COMPLETED");

  const file = join(folder, "worker.sqlite");
  const { stdout } = await runWorker({
    SOCIAL_CONNECT_URL: baseUrl,
    SOCIAL_CONNECT_KEY: key,
    SOCIAL_CONNECT_TENANT: scope.tenantKey,
    SUBJECTS: scope.externalSubjectId,
    WORKER_FILE: file,
    DAYS: "30",
  });
  expect(stdout).toContain(`${result.connectionId} is fresh`);
  expect(stdout).not.toContain(key);
  const store = new Store(file);
  const posts = store.posts(String(result.connectionId));
  expect(posts.length).toBeGreaterThan(0);
  expect(posts[0]?.metrics.length).toBeGreaterThan(0);
  store.close();
});

test.each([
  [{}, "SOCIAL_CONNECT_TENANT is not set"],
  [{ SOCIAL_CONNECT_TENANT: "acme", SUBJECTS: "a", SOCIAL_CONNECT_URL: "http://127.0.0.1:9" }, "KEY is not set"],
])("reports a missing setting in one line with its solution: %o", async (environment, message) => {
  const failure = await runWorker(environment).then(
    () => null,
    (error: { readonly stderr: string; readonly code: number }) => error,
  );
  expect(failure?.code).toBe(1);
  expect(failure?.stderr).toMatch(/^The content worker cannot run: [^\n]+\n$/);
  expect(failure?.stderr).toContain(message);
});
