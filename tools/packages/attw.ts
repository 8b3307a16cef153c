import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import type { PackedPackage } from "./pack.ts";

/** Programs and their functions are for Node 22.15 and newer, where CommonJS can require an ES module. */
const PROGRAMS = ["@social-connect/create", "@social-connect/server"];

/** Entry points that contain data and no code, so they have no types. */
const DATA = /\.(?:json|graphql|css)$/;

/** Whether every kind of consumer gets the right types; returns the findings of "Are The Types Wrong". */
export async function findTypeProblems(packed: PackedPackage): Promise<readonly string[]> {
  const tarball = createPackageFromTarballData(new Uint8Array(await readFile(packed.tarball)));
  const result = await checkPackage(tarball, { excludeEntrypoints: [DATA] });
  if (!result.types) return ["it has no types"];
  return result.problems
    .filter(({ kind }) => !(kind === "CJSResolvesToESM" && PROGRAMS.includes(packed.name)))
    .map((problem) => `types: ${problem.kind} (${placeOf(problem)})`);
}

function placeOf(problem: Problem): string {
  if ("entrypoint" in problem) return `${problem.entrypoint}, ${problem.resolutionKind}`;
  return "typesFileName" in problem ? problem.typesFileName : problem.fileName;
}
