/**
 * Preloaded (`--import`) into a process to run it with one changed line: it replaces a string in the file that `PLANTED_FAULT`
 * names. Nothing on disk changes.
 */
import { registerHooks } from "node:module";

/** A variable of the environment, because the workers of a test run inherit it. */
export const VARIABLE = "PLANTED_FAULT";

export interface Mutation {
  /** From the root of the workspace. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
}

const { file, from, to } = JSON.parse(process.env[VARIABLE] ?? "{}") as Partial<Mutation>;

if (file !== undefined && from !== undefined && to !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      return { ...loaded, source: String(loaded.source).replace(from, () => to) };
    },
  });
}
