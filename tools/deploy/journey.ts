/**
 * What callers and a browser do with the compose file's sandbox; runs in its network.
 *
 *     journey.ts link            links an account through the proxy and waits for its posts
 *     journey.ts load            sends requests until its input ends, then reports them; fails if one failed
 */
import { readFile } from "node:fs/promises";
import type { TargetFile } from "../../packages/conformance/src/target/devFile.ts";
import { linkAccount, listConnections, untilRead } from "../consumers/linkAccount.ts";

const SANDBOX_FILE = "/data/sandbox.json";
/** Callers, each with one request at a time. */
const CALLERS = 6;

async function main([action]: readonly string[]): Promise<void> {
  const { consumer } = JSON.parse(await readFile(SANDBOX_FILE, "utf8")) as TargetFile;
  if (action === "link") {
    await linkAccount({ consumer });
    await untilRead(consumer);
    console.log("linked an account and read its posts");
  } else if (action === "load") {
    await sendUntilInputEnds(consumer);
  } else {
    throw new Error("journey.ts needs link or load");
  }
}

async function sendUntilInputEnds(consumer: TargetFile["consumer"]): Promise<void> {
  const ended = new AbortController();
  process.stdin.resume().once("end", () => ended.abort());
  const failures: string[] = [];
  let sent = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ended.signal.aborted) {
      sent += 1;
      try {
        const { status, text } = (await listConnections(consumer)).answer;
        if (status !== 200 || !text.includes('"CONNECTED"')) failures.push(`${status} ${text.slice(0, 200)}`);
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

await main(process.argv.slice(2));
