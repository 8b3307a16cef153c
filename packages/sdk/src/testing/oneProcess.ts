/**
 * An application process, for tests across processes. It gets an address and JSON on its standard input. It starts
 * every kind of poller and prints the saved JSON, or resumes the given JSON and prints all outcomes.
 */
import { text } from "node:stream/consumers";
import { type SavedPoller, SocialConnect } from "@social-connect/sdk";
import { KEY, SCOPE } from "./fakeApi.ts";
import { WINDOW } from "./samples.ts";

export interface ProcessInput {
  readonly baseUrl: string;
  /** JSON that another process saved; absent for the first process. */
  readonly saved?: readonly SavedPoller[];
}

const { baseUrl, saved }: ProcessInput = JSON.parse(await text(process.stdin));
const social = new SocialConnect({ baseUrl, key: KEY, clock: { now: () => 0, sleep: async () => undefined } });
console.log(JSON.stringify(saved === undefined ? await begin() : await Promise.all(saved.map(finish))));

async function begin(): Promise<readonly unknown[]> {
  const user = social.forSubject(SCOPE);
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: "https://a.example",
  });
  const refresh = user.refresh("connection-1", { window: WINDOW });
  const lookup = user.lookup("connection-1", "https://video.example/p");
  await Promise.all([refresh.start(), lookup.start()]);
  return [user.connectResult(session.id), refresh, lookup, await user.disconnect("connection-1")];
}

async function finish(one: SavedPoller): Promise<unknown> {
  switch (one.kind) {
    case "refresh":
      return social.resume(one).scanAll();
    case "disconnect":
      return social.resume(one).settled();
    default:
      return social.resume(one).wait();
  }
}
