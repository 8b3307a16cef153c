/** A software bill of materials for each published package, in CycloneDX: what npm installs for it and what its build contains. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUNDLED_LIST, type BundledPackage } from "../packages/bundledPackages.ts";
import { npm } from "../packages/commands.ts";
import { listPublished } from "../packages/publishedPackages.ts";

interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
}

/** The parts of a bill that are read here. */
export interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** The bill of one package, from that of a folder in which it is installed. Throws if it is not. */
export function billOf(name: string, installed: Bill, bundled: readonly BundledPackage[] = []): Bill {
  const subject = installed.components.find((component) => component.name === name);
  if (subject === undefined) throw new Error(`${name} is not installed`);
  const contained = bundled.map(({ name, version, license }): Component => {
    const ref = `${name}@${version}`;
    const purl = `pkg:npm/${ref.replace(/^@/, "%40")}`;
    return { "bom-ref": `${ref}|bundled`, type: "library", name, version, purl, licenses: [{ expression: license }] };
  });
  const edges = new Map(installed.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const reached = new Set([subject["bom-ref"]]);
  // Iteration includes what is added during it.
  for (const ref of reached) for (const wanted of edges.get(ref) ?? []) reached.add(wanted);
  const dependencies = [...reached].map((ref) => {
    const inside = ref === subject["bom-ref"] ? contained.map((one) => one["bom-ref"]) : [];
    return { ref, dependsOn: [...(edges.get(ref) ?? []), ...inside] };
  });
  const others = installed.components.filter((one) => one !== subject && reached.has(one["bom-ref"]));
  return {
    ...installed,
    metadata: { ...installed.metadata, component: subject },
    components: [...others, ...contained],
    dependencies: [...dependencies, ...contained.map((one) => ({ ref: one["bom-ref"], dependsOn: [] }))],
  };
}

/** Installs the release in an empty folder, and writes a bill for each of its packages. Gives their paths. */
export async function installRelease(place: string, bills: string, npmrc = ""): Promise<string[]> {
  const packages = listPublished();
  await writeFile(join(place, ".npmrc"), npmrc);
  await writeFile(join(place, "package.json"), JSON.stringify({ name: "consumer", version: "0.0.0", private: true }));
  const wanted = packages.map(({ name, manifest }) => `${name}@${manifest.version}`);
  await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted], { folder: place });
  const installed = JSON.parse(await npm(["sbom", "--sbom-format", "cyclonedx"], { folder: place })) as Bill;
  await mkdir(bills, { recursive: true });
  return Promise.all(
    packages.map(async ({ name, manifest }) => {
      const list = join(place, "node_modules", name, "dist", BUNDLED_LIST);
      const bundled = existsSync(list) ? (JSON.parse(await readFile(list, "utf8")) as readonly BundledPackage[]) : [];
      const path = join(bills, `${name.replace(/^@/, "").replace("/", "-")}-${manifest.version}.cdx.json`);
      await writeFile(path, `${JSON.stringify(billOf(name, installed, bundled), null, 2)}\n`);
      return path;
    }),
  );
}
