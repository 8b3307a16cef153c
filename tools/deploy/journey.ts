/**
 * What callers and a browser do with the compose file's sandbox; runs in its network.
 *
 *     journey.ts link            links an account through the proxy and waits for its posts
 *     journey.ts load            sends requests until its input ends, then reports them; fails if one failed
 */
import { readFile } from "node:fs/promises";
import type { TargetFile } from "../../packages/conformance/src/target/devFile.ts";
import { applicationOf, linkAndRead, USER } from "../linkAccount.ts";

const SANDBOX_FILE = "/data/sandbox.json";
/** Callers, each with one request at a time. */
const CALLERS = 6;

async function main([action]: readonly string[]): Promise<void> {
  const { consumer } = JSON.parse(await readFile(SANDBOX_FILE, "utf8")) as TargetFile;
  if (action === "load") return sendUntilInputEnds(consumer);
  if (action !== "link") throw new Error("journey.ts needs link or load");
  await linkAndRead(applicationOf(consumer));
  console.log("linked an account and read its posts");
}

async function sendUntilInputEnds(consumer: TargetFile["consumer"]): Promise<void> {
  const ended = new AbortController();
  process.stdin.resume().once("end", () => ended.abort());
  const { social, tenantKey } = applicationOf(consumer);
  const connections = social.forSubject({ tenantKey, externalSubjectId: USER }).connections({ retries: 0 });
  const failures: string[] = [];
  let sent = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ended.signal.aborted) {
      sent += 1;
      try {
        const { items } = await connections.page();
        if (items[0]?.status !== "CONNECTED") failures.push(JSON.stringify(items));
      } catch (error) {
        failures.push(String(error));
      }
    }
  });
  console.log("sending");
  await Promise.all(callers);
  console.log(`${sent} requests, ${failures.length} failed`);
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  if (failures.length > 0 || sent === 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
