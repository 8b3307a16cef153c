/**
 * Preloaded (`--import`) into a process to run it with one changed rule: it replaces a string in the module of
 * `packages/domain` or `packages/transport` that the program's first argument names. Nothing on disk changes.
 */
import { registerHooks } from "node:module";

/** One change of one rule. */
export interface Mutation {
  /** Path of a file in the `src` folder of one of these packages. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const { file, from, to } = JSON.parse(process.argv[2] ?? "{}") as Partial<Mutation>;

if (file !== undefined && from !== undefined && to !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/packages/domain/src/${file}`) && !url.endsWith(`/packages/transport/src/${file}`))
        return loaded;
      const source = String(loaded.source);
      if (source.split(from).length !== 2) throw new Error(`${file} does not hold exactly one ${JSON.stringify(from)}`);
      return { ...loaded, source: source.replace(from, to) };
    },
  });
}
