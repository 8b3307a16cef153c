import type { Case } from "../harness/defineCase.ts";
import * as files from "./files.ts";

export const CASES: readonly Case[] = Object.values(files).flat();
