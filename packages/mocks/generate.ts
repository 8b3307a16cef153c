import { mkdir, readFile, writeFile } from "node:fs/promises";

/** Copies the published schemas into modules, because a bundle and a browser have no files to read. */
const folder = new URL("src/_generated/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const api of ["consumer", "admin"]) {
  const text = await readFile(new URL(`../contract/${api}.graphql`, import.meta.url), "utf8");
  const name = `${api.toUpperCase()}_SCHEMA_TEXT`;
  const lines = [
    "// Written by `pnpm generate` from the published schema. Not to be edited.",
    "",
    `export const ${name}: string = ${JSON.stringify(text)};`,
    "",
  ];
  await writeFile(new URL(`${api}Schema.ts`, folder), lines.join("\n"));
}
