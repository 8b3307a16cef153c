import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mutation } from "./mutate.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface PlantedFault extends Mutation {
  readonly name: string;
  /** The id of a conformance case, which is run on the mock, or a test: `FILE > TITLE`, the title without its `describe`. */
  readonly noticedBy: string;
}

export function isCase(noticedBy: string): boolean {
  return /^S\d\./.test(noticedBy);
}

export function testOf(noticedBy: string): { readonly file: string; readonly title: string } {
  const [file = "", ...title] = noticedBy.split(" > ");
  return { file, title: title.join(" > ") };
}

/** The faults of `plantedFaults.json` in each package, whose paths begin there. */
export const PLANTED_FAULTS: readonly PlantedFault[] = globSync("{apps,packages}/*/plantedFaults.json", { cwd: ROOT })
  .toSorted()
  .flatMap((list) => {
    const fromRoot = (path: string) => join(dirname(list), path).replaceAll("\\", "/");
    const faults: Record<string, Omit<PlantedFault, "name">> = JSON.parse(readFileSync(join(ROOT, list), "utf8"));
    return Object.entries(faults).map(([name, fault]) => ({
      ...fault,
      name,
      file: fromRoot(fault.file),
      noticedBy: isCase(fault.noticedBy) ? fault.noticedBy : fromRoot(fault.noticedBy),
    }));
  });
