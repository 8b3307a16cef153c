import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { type ConsumerKind, isCompiledBy, KINDS, optionsOf } from "./kinds.ts";
import { bundle } from "./runtimes.ts";
import { compilers, TRIES_ALL } from "./toolchain.ts";

const BROWSER = "@social-connect/browser";
const COMPILED = /^(?:node10-commonjs|nodenext-commonjs|nodenext-esm|bundler)$/;
const PROGRAM = `import type { ConnectOutcome } from "${BROWSER}";
import { createConnectButton, startConnect } from "${BROWSER}";
import { ConnectButton, useConnect } from "${BROWSER}/react";

const onOutcome = (outcome: ConnectOutcome) => console.log(outcome.type === "returned" ? outcome.sessionId : outcome.type);
export const button: HTMLButtonElement = createConnectButton({ action: "/connect" }, { label: "Connect", onOutcome });
export const parts = [startConnect, ConnectButton, useConnect];
// @ts-expect-error a result cannot be read in a page, so an outcome has none
export const result = (outcome: ConnectOutcome) => outcome.connectionId;
// @ts-expect-error the React button needs the route that starts an attempt
export const incomplete: Parameters<typeof ConnectButton>[0] = { onOutcome };
`;

/** The package for pages: its types under each resolution, and a bundle of it for browsers. */
export async function proveBrowserPackage(place: string): Promise<void> {
  for (const kind of KINDS.filter(({ name }) => COMPILED.test(name)))
    await compileWithPages(kind, join(place, `page-${kind.name}`));
  await bundle(join(place, "page-bundler", "main.ts"), { platform: "browser" });
  console.log(`  ${BROWSER}: compiles with React's types under each resolution, and in a bundle for browsers`);
  // The package's own test of the headers and embeddings in the README's table, with the code of the tarball: a popup, or all.
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const environment = { SOCIAL_CONNECT_BROWSER_INSTALLED: place, ...(TRIES_ALL && { SWEEP: "all" }) };
  const test = "packages/browser/src/journeys/situations.browser.system.test.ts";
  await run(process.execPath, [vitest, "run", test, ...(TRIES_ALL ? [] : ["--testNamePattern", "no header"])], {
    folder: ROOT,
    environment,
  });
  const what = TRIES_ALL ? "popups, frames and sandboxes have" : "a popup has";
  console.log(`  ${BROWSER}: ${what} the documented outcomes in a browser`);
}

async function compileWithPages(kind: ConsumerKind, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: kind.type }));
  await writeFile(join(folder, "main.ts"), PROGRAM);
  const versions = compilers().filter(({ version }) => isCompiledBy(kind, version));
  for (const { version, program } of new Set([...versions.slice(0, 1), ...versions.slice(-1)])) {
    // React's own types are not for the oldest compiler, so declarations of packages are not checked here.
    const pages = { lib: ["es2022", "dom"], types: [], noEmit: true, skipLibCheck: true };
    const compilerOptions = { ...optionsOf(kind, version), ...pages };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    await run(process.execPath, [program, "-p", "."], { folder });
  }
}
