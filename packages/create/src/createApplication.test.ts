import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { createApplication } from "./createApplication.ts";
import { TEMPLATES } from "./templates.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-create-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (path: string) => readFile(join(folder, path), "utf8");
const readManifest = async () => JSON.parse(await read("package.json"));

async function allFiles(): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (path) => [path, await readFile(path, "utf8")])));
}

describe.each(TEMPLATES.map(({ name }) => name))("%s", (template) => {
  test("writes an application with the version of the SDK, its port and its name", async () => {
    const place = join(folder, "My Shop");
    const { written, notes } = await createApplication({ folder: place, template, port: 4567 });
    expect(notes).toEqual([]);
    expect(written).toEqual(expect.arrayContaining(["package.json", "README.md", ".gitignore", "tsconfig.json"]));
    const all = Object.values(await allFiles()).join("\n");
    expect(all).toContain("PLACEHOLDER for your sign-in");
    expect(all).toContain("launchPage(");
    expect(all).toContain("connectResult(");
    expect(all).toContain("own pages may post");
    expect(all).toContain("receiveEvent(");
    expect(all.match(/#(?:end)?region|\b3000\/connected/g)).toBeNull();
    const { name, dependencies, scripts } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    expect(name).toBe("my-shop");
    expect(dependencies["@social-connect/sdk"]).toBe(`^${manifest.version}`);
    expect(scripts).toMatchObject({ dev: expect.any(String), types: expect.stringContaining("tsc") });
    expect(scripts.service).toBe(
      "echo Starting Social Connect. The first start downloads it and PostgreSQL from the npm registry, which needs the network. && npx --yes @social-connect/server dev --return-url http://localhost:4567/connected --tenant acme --name my-shop --events http://localhost:4567/events --write-env .env",
    );
    // The shells of all systems print the text as it is.
    expect(scripts.service.split(" && ")[0]).not.toMatch(/[^\w ,.-]/);
    expect(await readFile(join(place, ".gitignore"), "utf8")).toContain(".env\n");
  });

  test("creating the same again writes nothing", async () => {
    await createApplication({ folder, template });
    expect((await createApplication({ folder, template })).written).toEqual([]);
  });
});

describe("an existing folder", () => {
  const template = "express";

  test("package.json and .gitignore get what they lack, and existing values stay", async () => {
    await writeFile(
      join(folder, "package.json"),
      '{\n\t"name": "shop",\n\t"type": "module",\n\t"scripts": { "dev": "mine" },\n\t"devDependencies": { "express": "4.0.0" }\n}\n',
    );
    await writeFile(join(folder, ".gitignore"), "/node_modules/\nsecret");
    const { notes } = await createApplication({ folder, template });
    expect(notes).toEqual([expect.stringContaining("already has the scripts dev")]);
    const merged = await readManifest();
    expect(merged).toMatchObject({ name: "shop", scripts: { dev: "mine", start: expect.any(String) } });
    expect(merged.devDependencies.express).toBe("4.0.0");
    expect(merged.dependencies).not.toHaveProperty("express");
    expect(merged.dependencies).toHaveProperty("@social-connect/sdk");
    expect(await read("package.json")).toContain('\n\t"name"');
    expect(await read(".gitignore")).toBe("/node_modules/\nsecret\n.env\n.social-connect\n");
  });

  test("a file with other content stops everything unless the replacement is confirmed", async () => {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src/main.ts"), "mine");
    const asked: unknown[] = [];
    const decline = (paths: readonly string[]) => {
      asked.push(paths);
      return false;
    };
    await expect(createApplication({ folder, template })).rejects.toMatchObject({ paths: ["src/main.ts"] });
    await expect(createApplication({ folder, template, confirmOverwrite: decline })).rejects.toThrow("src/main.ts");
    expect(asked).toEqual([["src/main.ts"]]);
    expect(Object.keys(await allFiles())).toEqual([join(folder, "src/main.ts")]);
    expect(await read("src/main.ts")).toBe("mine");
    await createApplication({ folder, template, confirmOverwrite: () => true });
    expect(await read("src/main.ts")).toContain("launchPage");
  });

  test("a package.json of the other module format is a conflict that is explained", async () => {
    await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }');
    await expect(createApplication({ folder, template })).rejects.toThrow('The template needs "type": "module"');
    await createApplication({ folder, template, confirmOverwrite: () => true });
    expect(await readManifest()).toMatchObject({ type: "module" });
  });

  test("an unreadable package.json changes nothing", async () => {
    await writeFile(join(folder, "package.json"), "{");
    await expect(createApplication({ folder, template })).rejects.toThrow("package.json is not valid JSON. Correct it");
    expect(Object.keys(await allFiles())).toHaveLength(1);
  });

  test.each([
    ["src", "file", "main.ts cannot be created: a part of its path is a file."],
    ["package.json", "folder", "package.json is a folder, and the template has a file there."],
  ])("where %s is a %s, nothing is written", async (path, kind, message) => {
    await (kind === "file" ? writeFile(join(folder, path), "mine") : mkdir(join(folder, path)));
    await expect(createApplication({ folder, template })).rejects.toThrow(message);
    expect(await readdir(folder)).toEqual([path]);
  });

  test.skipIf(process.platform === "win32")(
    "a pipe in the place of a file ends it, and nothing is written",
    async () => {
      execFileSync("sh", ["-c", "mkfifo README.md"], { cwd: folder });
      await expect(createApplication({ folder, template })).rejects.toThrow("README.md is not a file");
      expect(await readdir(folder)).toEqual(["README.md"]);
    },
  );

  test.each(["a b", "ünï", "-dash", "@scope", "quo'te", ".hidden", "…"])(
    "a folder called %s is created",
    async (name) => {
      const place = join(folder, name);
      await createApplication({ folder: place, template });
      const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
      expect(manifest.name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
      expect(manifest.scripts.service).toContain(` --name ${manifest.name} `);
    },
  );

  test("files with the line ends and the byte order mark of Windows keep the line ends, and are not conflicts", async () => {
    await createApplication({ folder, template });
    for (const [path, text] of Object.entries(await allFiles())) await writeFile(path, text.replaceAll("\n", "\r\n"));
    expect((await createApplication({ folder, template })).written).toEqual([]);
    await writeFile(join(folder, "package.json"), '\uFEFF{\r\n  "type": "module"\r\n}\r\n');
    await writeFile(join(folder, ".gitignore"), "secret\r\n");
    const { written, notes } = await createApplication({ folder, template });
    expect([written, notes]).toEqual([["package.json", ".gitignore"], []]);
    for (const path of written) expect(await read(path)).not.toMatch(/[^\r]\n/);
    expect(await readManifest()).toMatchObject({ type: "module", scripts: { dev: expect.any(String) } });
  });
});

describe("a symbolic link", () => {
  let place: string;
  let elsewhere: string;
  beforeEach(async () => {
    [place, elsewhere] = [join(folder, "app"), join(folder, "elsewhere")];
    await mkdir(elsewhere);
  });
  const link = async (target: string, path: string, type: "dir" | "file") => {
    await mkdir(join(path, ".."), { recursive: true });
    await symlink(target, path, type);
  };
  const create = (to = place) => createApplication({ folder: to, template: "express", confirmOverwrite: () => true });

  test.each<[string, () => Promise<unknown>]>([
    ["in the place of the folder", () => link(elsewhere, place, "dir")],
    ["to a missing folder", () => link(join(folder, "missing"), place, "dir")],
    ["in the place of a folder inside it", () => link(elsewhere, join(place, "src"), "dir")],
    ["in the place of a file", () => link(join(elsewhere, "README.md"), join(place, "README.md"), "file")],
    ["in the place of a merged file", () => link(join(elsewhere, "package.json"), join(place, "package.json"), "file")],
  ])("%s is refused, and nothing is written", async (_, prepare) => {
    await writeFile(join(elsewhere, "package.json"), "{}");
    await prepare();
    const before = await allFiles();
    await expect(create()).rejects.toThrow("is a symbolic link, and nothing is written through it.");
    await expect(create(`${place}/`)).rejects.toThrow("is a symbolic link");
    expect(await allFiles()).toEqual(before);
  });

  test("that appears after the check is not followed", async () => {
    await mkdir(place);
    await writeFile(join(place, "README.md"), "mine");
    const late = async () => {
      await rm(join(place, "README.md"));
      await symlink(join(elsewhere, "README.md"), join(place, "README.md"));
      return true;
    };
    await expect(createApplication({ folder: place, template: "express", confirmOverwrite: late })).rejects.toThrow();
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test("above the folder is the user's way to it", async () => {
    await link(elsewhere, join(folder, "way"), "dir");
    expect((await create(join(folder, "way", "app"))).written).toContain("package.json");
  });
});
