/**
 * A process of an application, for tests of what one leaves for the next: told an address and a text on its standard
 * input, it starts everything that can be followed and writes what it saved, or resumes what it is given and writes how
 * all of it ended.
 */
import { text } from "node:stream/consumers";
import type { SavedPoller } from "@social-connect/sdk";
import { SocialConnect } from "@social-connect/sdk";
import { KEY, SCOPE } from "./fakeApi.ts";
import { WINDOW } from "./samples.ts";

export interface Told {
  readonly baseUrl: string;
  /** What another process saved; absent in the one that begins. */
  readonly saved?: readonly SavedPoller[];
}

const { baseUrl, saved }: Told = JSON.parse(await text(process.stdin));
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
