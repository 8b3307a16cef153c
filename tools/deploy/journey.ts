/**
 * What callers and a browser do with the compose file's sandbox; runs in its network.
 *
 *     journey.ts link            links an account through the proxy and waits for its posts
 *     journey.ts load            sends requests until its input ends, then reports them; fails if one failed
 */
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { linkAccount } from "../consumers/linkAccount.ts";
import type { DevFile } from "../consumers/packedServer.ts";

const SANDBOX_FILE = "/data/sandbox.json";
const SUBJECT = "user-mara";
const PATIENCE_MS = 90_000;
const PAUSE_MS = 500;
/** Callers, each with one request at a time. */
const CALLERS = 6;
const REQUEST_TIMEOUT_MS = 15_000;

const LIST = `query ($scope: SubjectScope!) { connections(scope: $scope) { items { status syncStatus } } }`;

interface ConnectionList {
  readonly data?: { readonly connections?: { readonly items: readonly { status: string; syncStatus: string }[] } };
}

async function main([action]: readonly string[]): Promise<void> {
  const { consumer, ...sandbox } = JSON.parse(await readFile(SANDBOX_FILE, "utf8")) as DevFile;
  if (action === "link") {
    await linkAccount({ consumer, ...sandbox });
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const { status, body } = await list(consumer);
      const [connection] = (JSON.parse(body) as ConnectionList).data?.connections?.items ?? [];
      if (connection?.status === "CONNECTED" && connection.syncStatus === "READY") break;
      if (deadline.aborted) throw new Error(`the account has no posts yet: ${status} ${body}`);
      await setTimeout(PAUSE_MS);
    }
    console.log("linked an account and read its posts");
  } else if (action === "load") {
    await sendUntilInputEnds(consumer);
  } else {
    throw new Error("journey.ts needs link or load");
  }
}

async function sendUntilInputEnds(consumer: DevFile["consumer"]): Promise<void> {
  const ended = new AbortController();
  process.stdin.resume().once("end", () => ended.abort());
  const failures: string[] = [];
  let sent = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ended.signal.aborted) {
      sent += 1;
      try {
        const { status, body } = await list(consumer);
        if (status !== 200 || !body.includes('"CONNECTED"')) failures.push(`${status} ${body.slice(0, 200)}`);
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
      }
    }
  });
  console.log("sending");
  await Promise.all(callers);
  console.log(`${sent} requests, ${failures.length} failed`);
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  if (failures.length > 0 || sent === 0) process.exitCode = 1;
}

async function list({ baseUrl, key, tenantKeys }: DevFile["consumer"]): Promise<{ status: number; body: string }> {
  const scope = { tenantKey: tenantKeys[0], externalSubjectId: SUBJECT };
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: LIST, variables: { scope } }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return { status: response.status, body: await response.text() };
}

await main(process.argv.slice(2));
