import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Case } from "../harness/defineCase.ts";

const FOLDER = new URL("./", import.meta.url);

/** Each file here and in `admin` exports only cases. */
const files = globSync(["*.ts", "admin/*.ts"], { cwd: fileURLToPath(FOLDER), exclude: ["all.ts", "readSafeFiles.ts"] });
const exported = await Promise.all(files.sort().map((file) => import(new URL(file, FOLDER).href)));

export const CASES: readonly Case[] = exported.flatMap((file) => Object.values<readonly Case[]>(file)).flat();
