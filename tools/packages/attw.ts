import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import type { PackedPackage } from "./pack.ts";

/** A finding that is accepted, and the reason. Any other finding fails the check. */
interface Exception {
  readonly why: string;
  readonly covers: (problem: Problem, packed: PackedPackage) => boolean;
}

const PROGRAMS = ["@social-connect/create", "@social-connect/server"];

const EXCEPTIONS: readonly Exception[] = [
  {
    why: "these are programs; their functions are for Node 22.15 and newer, where CommonJS can require an ES module",
    covers: (problem, { name }) => problem.kind === "CJSResolvesToESM" && PROGRAMS.includes(name),
  },
  {
    why: "the program that npm runs is an ES module, and npm runs on a Node in which CommonJS can require it",
    covers: (problem, { name }) => problem.kind === "CJSResolvesToESM" && name === "@social-connect/create",
  },
];

/** Entry points that contain data and no code, so they have no types. */
const DATA = /\.(?:json|graphql|css)$/;

/** Whether every kind of consumer gets the right types; returns the findings of "Are The Types Wrong". */
export async function findTypeProblems(packed: PackedPackage): Promise<readonly string[]> {
  const tarball = createPackageFromTarballData(new Uint8Array(await readFile(packed.tarball)));
  const result = await checkPackage(tarball, { excludeEntrypoints: [DATA] });
  if (!result.types) return ["it has no types"];
  return result.problems
    .filter((problem) => !EXCEPTIONS.some(({ covers }) => covers(problem, packed)))
    .map((problem) => `types: ${problem.kind} (${placeOf(problem)})`);
}

function placeOf(problem: Problem): string {
  if ("entrypoint" in problem) return `${problem.entrypoint}, ${problem.resolutionKind}`;
  return "typesFileName" in problem ? problem.typesFileName : problem.fileName;
}
