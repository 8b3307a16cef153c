import { existsSync, readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PUBLIC = fileURLToPath(new URL("public/", import.meta.url));
/** Where the build of `social-connect dev` copies the package. */
const COPIED = join(PUBLIC, "social-connect/index.js");

/** The scripts of the pages by their path below `/public`. They are served unbundled. */
export function readScripts(): ReadonlyMap<string, string> {
  const own = readdirSync(PUBLIC).filter((name) => name.endsWith(".js"));
  return new Map([...own.map((name) => [name, readText(join(PUBLIC, name))] as const), ...browserPackage()]);
}

/** `@social-connect/browser` is one file. In this workspace it is TypeScript, which Node converts. */
function browserPackage(): readonly (readonly [path: string, text: string])[] {
  const entry = existsSync(COPIED) ? COPIED : fileURLToPath(import.meta.resolve("@social-connect/browser"));
  if (entry.endsWith(".js")) return [["social-connect/index.js", readText(entry)]];
  const sources = readdirSync(dirname(entry)).filter((name) => /^\w+\.ts$/.test(name) && name !== "react.ts");
  return sources.map((name) => {
    const path = name === basename(entry) ? "index.js" : name;
    return [`social-connect/${path}`, stripTypeScriptTypes(readText(join(dirname(entry), name)))];
  });
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}
