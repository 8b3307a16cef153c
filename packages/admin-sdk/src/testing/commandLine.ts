import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import type { CommandIo } from "../cli/commandIo.ts";
import { run } from "../cli/run.ts";
import { HOST_VARIABLE, KEY_VARIABLE } from "../cli/usage.ts";
import { SHOP } from "./clients.ts";
import { FakeAdmin, HOST, KEY } from "./fakeAdmin.ts";

/** A shell with a fake service: files in memory, and the printed output. */
export function commandLine() {
  const api = new FakeAdmin();
  const files = new Map<string, string>();
  const stop = new AbortController();
  const command = async (argv: readonly string[], around: Partial<CommandIo> = {}) => {
    const output: string[] = [];
    const errors: string[] = [];
    const exitCode = await run(argv, {
      environment: { [HOST_VARIABLE]: HOST, [KEY_VARIABLE]: `${KEY}\n` },
      print: (text) => void output.push(text),
      printError: (text) => void errors.push(text),
      readFile: async (path) => files.get(path) ?? Promise.reject(Object.assign(new Error(), { code: "ENOENT" })),
      writeFile: async (path, text) => void files.set(path, text),
      ask: undefined,
      signal: stop.signal,
      fetch: api.fetch,
      clock: steppingClock(),
      ...around,
    });
    return { exitCode, output: output.join("\n"), errors: errors.join("\n") };
  };
  return { api, files, command, stop };
}

export const SHOP_YAML = `slug: shop
displayName: Shop
webOrigins: [https://shop.example, https://old.example]
returnUrls: [https://shop.example/connected, https://old.example/connected]
`;
const CLUB_YAML = `slug: club
displayName: Club
webOrigins: [https://club.example]
returnUrls:
  - url: https://club.example/connected
    confirmedNoOnwardRedirect: true
providers: [PROVIDER_A]
capabilities: [PROFILE]
`;

/** A shell with the client `shop` at the service, and the declarations of it and of a new client as files. */
export function shell() {
  const parts = commandLine();
  parts.api.put(SHOP);
  parts.files.set("shop.yaml", SHOP_YAML);
  parts.files.set("club.yaml", CLUB_YAML);
  return parts;
}
