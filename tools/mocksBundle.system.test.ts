/** What the main entry point of the mocks adds to the bundle of a browser or a worker. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const MOCKS = fileURLToPath(new URL("../packages/mocks/", import.meta.url));

/** The files that a bundle of an entry point contains. */
async function filesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [`${MOCKS}${entry}`],
    absWorkingDir: MOCKS,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["@social-connect/source"],
    external: ["node:*", "msw", "graphql"],
    logLevel: "error",
  });
  return Object.keys(metafile.inputs);
}

const ONLY_IN_NODE = /\/yaml\/|^src\/(?:node|cli|recording|drift)\//;

test("the main entry point has no YAML parser, inspection page, command or recorder", async () => {
  expect((await filesOf("src/index.ts")).filter((file) => ONLY_IN_NODE.test(file))).toEqual([]);
  // The pattern finds them where they belong.
  const ofNode = (await filesOf("src/node.ts")).filter((file) => ONLY_IN_NODE.test(file));
  expect(ofNode.some((file) => file.includes("/yaml/"))).toBe(true);
  expect(ofNode).toContain("src/node/inspection/inspectionHtml.ts");
});
