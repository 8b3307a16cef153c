import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Exported, listPublished, ROOT } from "./publishedPackages.ts";

/** The conditions that each resolver sets, as its current version resolved packages with one condition each. */
const RESOLVERS: Readonly<Record<string, string>> = {
  "Node 22 to 26": "node module-sync",
  "Node with --conditions": "node module-sync development",
  Bun: "node bun",
  "Bun, bundle for browsers": "browser module",
  Deno: "node deno module-sync",
  "Deno, bundle for browsers": "browser",
  "esbuild for Node": "node module",
  "esbuild for browsers": "browser module",
  "esbuild, neutral": "",
  "Wrangler and the plugin of Vite for workers": "workerd worker browser module",
  "webpack for Node": "node module module-sync production webpack",
  "webpack in development": "browser module module-sync development webpack",
  "webpack for the web": "browser module module-sync production webpack",
  "webpack for web workers": "browser worker module module-sync production webpack",
  "webpack for Electron's main process": "node electron module module-sync production webpack",
  "webpack for Electron's pages": "node browser electron module module-sync production webpack",
  "Rspack for Node": "node module production webpack",
  "Rspack for web workers": "browser worker module production webpack",
  "Rollup with node-resolve": "module production",
  "Rollup for browsers": "browser module production",
  "Vite for browsers": "browser module production",
  "Vite, development server": "browser module development",
  "Vite, ssr": "node module production",
  "Vite, ssr for webworker": "browser module production",
  "Vite, ssr with conditions of workers": "worker workerd",
  "ncc of Node": "node production",
  "Next.js, edge": "edge-light worker browser module production",
  "Next.js, server components": "react-server node module production",
  Netlify: "netlify node",
  "Jest with jsdom": "browser",
  Jest: "node node-addons",
  Metro: "react-native",
  "Metro for the web": "browser",
};

/** As Node's resolution: the first condition in the order of the manifest, and the next one if it leads nowhere. */
function resolve(exported: Exported, conditions: ReadonlySet<string>): string | undefined {
  if (exported === null || typeof exported === "string") return exported ?? undefined;
  for (const [condition, next] of Object.entries(exported)) {
    const target = condition === "default" || conditions.has(condition) ? resolve(next, conditions) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

const DOORS = listPublished().flatMap(({ name, manifest }) =>
  Object.entries(manifest.exports ?? {}).map(([door, exported]) => ({ name: door.replace(".", name), exported })),
);

it.each(DOORS)(
  "$name leads to one file for import and one for require under the conditions of every resolver",
  ({ exported }) => {
    for (const format of ["import", "require"]) {
      const found = Object.entries(RESOLVERS).map(([resolver, conditions]) => {
        const set = new Set([...conditions.split(" "), format]);
        // The types have the format of the file.
        return [resolver, resolve(exported, set), resolve(exported, new Set([...set, "types"]))];
      });
      const [, file, types] = found[0] ?? [];
      expect(found).toEqual(Object.keys(RESOLVERS).map((resolver) => [resolver, file, types]));
      const isDual = JSON.stringify(exported).includes('"require"');
      if (isDual)
        expect([file, types]).toEqual(
          format === "require" ? [/\.cjs$/, /\.d\.cts$/].map(matching) : [/\.js$/, /\.d\.ts$/].map(matching),
        );
      else expect(file).toBeDefined();
    }
  },
);

const matching = (pattern: RegExp) => expect.stringMatching(pattern);

it("notices a condition that leads elsewhere", () => {
  const exported = { browser: "./browser.js", import: { types: "./index.d.ts", default: "./index.js" } };
  expect(resolve(exported, new Set(["browser", "import"]))).toBe("./browser.js");
  expect(resolve(exported, new Set(["node", "import"]))).toBe("./index.js");
  expect(resolve({ require: "./index.cjs" }, new Set(["import"]))).toBeUndefined();
});

const FOLDERS = listPublished().flatMap(({ name, folder, manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([door, exported]) =>
    /^\.\/\w+$/.test(door) ? [{ name: door.replace(".", name), place: join(ROOT, folder, door), exported }] : [],
  ),
);

it.each(FOLDERS)("$name is also a folder, for tools that do not read `exports`", async ({ place, exported }) => {
  const { main, module, types } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  const target = (...conditions: string[]) => join(place, "..", resolve(exported, new Set(conditions)) ?? "");
  expect([main, module, types].map((path) => join(place, path))).toEqual([
    target("require"),
    target("import"),
    target("require", "types"),
  ]);
});
