import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "@graphql-codegen/cli";
import { expect, test } from "vitest";
import config from "../codegen.ts";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));

interface Made {
  readonly filename: string;
  readonly content: string;
  readonly hooks: { readonly beforeOneFileWrite?: (path: string, content: string) => string };
}

test("the generated files are up to date with the published schemas and the documents", async () => {
  const files: Made[] = await generate({ ...config, cwd: FOLDER, silent: true }, false);
  expect(files.map(({ filename }) => filename).toSorted()).toEqual(Object.keys(config.generates).toSorted());
  for (const { filename, content, hooks } of files) {
    const written = hooks.beforeOneFileWrite?.(filename, content) ?? content;
    expect(readFileSync(join(FOLDER, filename), "utf8"), filename).toBe(written);
  }
}, 60_000);
