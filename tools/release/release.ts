/**
 * Publishes the packages, or shows that it would work.
 *
 *     pnpm release --rehearse    all of it against a registry on loopback
 *     pnpm release               what a real release needs, and what of it is missing here
 *     pnpm release --publish     the real one; does nothing while anything is missing
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { parseArgs } from "node:util";
import { readChangesets } from "@changesets/read";
import { CommandError, npm } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, ROOT, repositoryOf } from "../packages/publishedPackages.ts";
import { publishPackages } from "./publish.ts";
import { rehearse } from "./rehearse.ts";
import { type ReleaseFacts, releaseNeeds } from "./releaseNeeds.ts";
import { writeSboms } from "./sbom.ts";

async function main(parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { rehearse: { type: "boolean", default: false }, publish: { type: "boolean", default: false } },
  });
  if (values.rehearse) return rehearse();
  const facts = await gatherFacts();
  const needs = releaseNeeds(facts);
  console.log("A release needs:");
  for (const { what, isMet, how } of needs) console.log(isMet ? `  [x] ${what}` : `  [ ] ${what}: ${how}`);
  const isReady = needs.every(({ isMet }) => isMet);
  if (!values.publish) {
    const next = isReady ? "`pnpm release --publish` publishes." : "Then `pnpm release --publish` publishes.";
    console.log(`${next} \`pnpm release --rehearse\` does it against a registry on loopback, with none of these.`);
  } else if (isReady) {
    await buildPackages(listPublished());
    console.log(await publishPackages());
    const bills = await sbomsOfRelease();
    console.log(`Attach these software bills of materials to the release:\n${bills.join("\n")}`);
    console.log("Push the release tags: `git push --follow-tags`.");
  } else {
    console.error("Nothing was published.");
    process.exitCode = 1;
  }
}

/** From what npm installs of the release that was just published. */
async function sbomsOfRelease(): Promise<string[]> {
  const place = await mkdtemp(join(tmpdir(), "social-connect-sbom-"));
  try {
    const packages = listPublished();
    await writeFile(join(place, "package.json"), JSON.stringify({ name: "sbom", private: true }));
    const wanted = packages.map(({ name, manifest }) => `${name}@${manifest.version}`);
    await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted], { folder: place });
    const names = packages.map(({ name }) => name);
    return await writeSboms(place, names, join(ROOT, "sbom"));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function gatherFacts(): Promise<ReleaseFacts> {
  const changesets = await readChangesets(ROOT);
  return {
    hasUncommittedChanges: git("status", "--porcelain") !== "",
    branch: git("rev-parse", "--abbrev-ref", "HEAD") ?? "no branch",
    pendingChangesets: changesets.map(({ id }) => id),
    repository: repositoryOf(ROOT),
    origin: git("remote", "get-url", "origin"),
    registryUser: await npm(["whoami"], { folder: ROOT, timeoutMs: 20_000 }).then(
      (name) => name.trim() || null,
      () => null,
    ),
    canProveProvenance: Boolean(env["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? env["SIGSTORE_ID_TOKEN"]),
  };
}

function git(...parameters: string[]): string | null {
  try {
    return execFileSync("git", parameters, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
});
