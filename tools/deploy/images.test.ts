import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../packages/publishedPackages.ts";

const read = (path: string) => readFileSync(join(ROOT, "deploy", path), "utf8");

test("each base image is pinned to a version", () => {
  const dockerfiles = ["docker/Dockerfile", "docker/pgbouncer.Dockerfile"].map(read).join("\n");
  const stages = [...dockerfiles.matchAll(/ AS (\S+)$/gm)].map(([, name]) => name);
  const bases = [
    ...dockerfiles.matchAll(/^FROM (\S+)/gm),
    ...read("compose/compose.yaml").matchAll(/ image: ([a-z].*)$/gm),
  ]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "scratch" && !stages.includes(name));
  expect(new Set(bases).size).toBe(4);
  for (const name of bases) expect(name).toMatch(/^[a-z]+:\d+\.\d+(?:\.\d+)?(?:-[a-z]+)*$/);
});
