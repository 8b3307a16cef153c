import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProviderKey, SimulatorClient } from "../../apps/simulator/src/index.ts";
import { ROOT } from "../../tools/packages/publishedPackages.ts";
import { samplesOf } from "../../tools/samples/samples.ts";

/** Pages with blocks that the check runs. */
const PAGES = [
  "operations/deployment.md",
  "how-to/openid-provider.md",
  "operations/encryption-keys.md",
  "operations/backup.md",
  "operations/metrics.md",
];
/** Before a block, which it names. */
const MARKER = "live: ";

/** A row of a provider's page: the label in the panel, and the address. */
const ADDRESS = /^ *\| ([^|]+) \|.*`\{PUBLIC_URL\}([^`]+)` \|$/gm;
/** What the simulator calls an address that the panel shows under a label. */
const AT_PROVIDER = {
  "Webhook URL": "webhookUrl",
  "Deauthorize callback": "deauthorizationUrl",
  "Data deletion request URL": "dataDeletionUrl",
} as const;

/** What a reader replaces: an example of the pages, and its value on this machine. */
type Replacement = readonly [example: string | RegExp, value: string];

export type Pages = Awaited<ReturnType<typeof readPages>>;

/** The marked blocks of our pages, with this machine's values. */
export async function readPages() {
  const page = (path: string) => readFile(join(ROOT, "docs", path), "utf8");
  const providerPages = new Map<ProviderKey, string>([
    ["provider-a", await page("how-to/live-youtube.md")],
    ["provider-b", await page("how-to/live-tiktok.md")],
    ["provider-c", await page("how-to/live-instagram.md")],
  ]);
  const marked = (await Promise.all(PAGES.map(page))).flatMap(blocksOf);
  const blocks = new Map(marked);
  if (blocks.size < marked.length) throw new Error("two marked blocks have the same name");
  const used = new Set<string>();
  const replacements: Replacement[] = [];
  const replaced = (text: string) => replacements.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

  const block = (name: string): string => {
    const text = blocks.get(name);
    if (text === undefined) throw new Error(`no page has the block ${name}`);
    used.add(name);
    return replaced(text);
  };

  return {
    ...{ replacements, names: [...blocks.keys()], block },
    /** The commands of a block, one for each line. */
    lines: (name: string): readonly string[] => block(name).trim().split("\n"),
    /** A command of a runbook, in a block or in a sentence, that begins with `start`. It continues until its quotes are closed. */
    runbookCommand: async (runbook: string, start: string): Promise<string> => {
      const text = await readFile(join(ROOT, "docs", "operations", "runbooks", `${runbook}.md`), "utf8");
      const lines = text.split("\n").map((line) => line.trim());
      const first = lines.findIndex((line) => line.startsWith(start) || line.includes(`\`${start}\``));
      if (first < 0) throw new Error(`the runbook ${runbook} has no command ${start}`);
      const isOpen = (command: string) => (command.match(/"/g) ?? []).length % 2 === 1;
      let command = lines[first]?.startsWith(start) ? (lines[first] ?? "") : start;
      for (let next = first + 1; isOpen(command) && next < lines.length; next += 1) command += `\n${lines[next]}`;
      return replaced(command);
    },
    /** What the page of a provider says to register there, by its label in the panel. */
    addresses: (provider: ProviderKey, publicUrl: string): ReadonlyMap<string, string> => {
      const rows = (providerPages.get(provider) ?? "").matchAll(ADDRESS);
      return new Map([...rows].map(([, label = "", path = ""]) => [label, publicUrl + path]));
    },
    /** Blocks that cannot run on this machine. */
    skip: (...names: string[]): void => {
      for (const name of names) used.add(name);
    },
    requireAllUsed: (): void => {
      const unused = [...blocks.keys()].filter((name) => !used.has(name));
      if (unused.length > 0) throw new Error(`these marked blocks were not run: ${unused.join(", ")}`);
    },
  };
}

export function blocksOf(markdown: string): [name: string, text: string][] {
  return samplesOf("", markdown).flatMap(({ marker, code }) =>
    marker?.startsWith(MARKER) ? [[marker.slice(MARKER.length), code]] : [],
  );
}

/** The same as the registration of a client of the simulator. */
export function registeredAddresses(addresses: ReadonlyMap<string, string>): Pick<SimulatorClient, "redirectUris"> {
  const messages = Object.entries(AT_PROVIDER).map(([label, name]) => [name, addresses.get(label)]);
  const redirectUri = addresses.get("Redirect URL");
  if (redirectUri === undefined) throw new Error("the page of a provider has no redirect URL");
  return {
    redirectUris: [redirectUri],
    ...Object.fromEntries(messages.filter(([, address]) => address !== undefined)),
  };
}
