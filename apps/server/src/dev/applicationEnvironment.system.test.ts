import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import {
  applicationEnvironment,
  checkEnvironmentFile,
  describeEnvironment,
  type EnvironmentParts,
  writeEnvironmentFile,
} from "./applicationEnvironment.ts";

useFolderPerTest();

const ENVIRONMENT = {
  SOCIAL_CONNECT_URL: "http://127.0.0.1:4400",
  SOCIAL_CONNECT_KEY: "key-id.key-secret",
  SOCIAL_CONNECT_TENANT: "acme",
  RETURN_URL: "http://localhost:3000/connected",
};
const LINES = Object.entries(ENVIRONMENT)
  .map(([name, value]) => `${name}=${value}\n`)
  .join("");

const EXAMPLE = { tenantKeys: ["acme-studio", "globex-media"], returnUrl: "http://127.0.0.1:4403/return" };
const CLIENT = { tenantKeys: EXAMPLE.tenantKeys, returnUrls: [EXAMPLE.returnUrl] };

function environmentOf(parts: Partial<EnvironmentParts>) {
  const wanted = { tenantKeys: [], returnUrls: [] };
  return applicationEnvironment({
    baseUrl: "b",
    key: "k",
    eventSecret: null,
    client: CLIENT,
    example: EXAMPLE,
    wanted,
    ...parts,
  });
}

test("names the integrator's return URL and tenant, first those of this command, then those of an earlier one", () => {
  expect(environmentOf({})).toEqual({
    SOCIAL_CONNECT_URL: "b",
    SOCIAL_CONNECT_KEY: "k",
    SOCIAL_CONNECT_TENANT: "acme-studio",
  });
  const own = "http://localhost:3000/connected";
  const client = { tenantKeys: [...CLIENT.tenantKeys, "acme"], returnUrls: [...CLIENT.returnUrls, own] };
  expect(environmentOf({ client })).toMatchObject({ SOCIAL_CONNECT_TENANT: "acme", RETURN_URL: own });
  const wanted = { tenantKeys: ["zeta"], returnUrls: ["http://localhost:5000/done"] };
  expect(environmentOf({ client, wanted })).toMatchObject({
    SOCIAL_CONNECT_TENANT: "zeta",
    RETURN_URL: "http://localhost:5000/done",
  });
  // Without a tenant of the integrator's own, the example's first serves.
  expect(environmentOf({ wanted: { ...wanted, tenantKeys: [] } })).toMatchObject({
    SOCIAL_CONNECT_TENANT: "acme-studio",
  });
});

test("names the secret of its events, which a terminal does not show", () => {
  const environment = environmentOf({ eventSecret: "whsec_c2VjcmV0" });
  expect(environment).toMatchObject({ SOCIAL_CONNECT_EVENT_SECRET: "whsec_c2VjcmV0" });
  const shown = describeEnvironment(environment, "dev.json");
  expect(shown).toContain("SOCIAL_CONNECT_EVENT_SECRET=<consumer.eventSecret in dev.json>");
  expect(shown).not.toContain("whsec_");
});

test("names no tenant or return URL that a file cannot have", async () => {
  const tenants = [`it's "quoted"`, "it's $HOME", "it's `id`", "it's \\", "it's"];
  const client = { tenantKeys: tenants, returnUrls: ["http://localhost:3000/it's?a=$b"] };
  const environment = environmentOf({ client });
  expect(environment).toEqual({ SOCIAL_CONNECT_URL: "b", SOCIAL_CONNECT_KEY: "k", SOCIAL_CONNECT_TENANT: "it's" });
  const unwritable = { ...environment, SOCIAL_CONNECT_TENANT: "it's $HOME" };
  await expect(writeEnvironmentFile(join(folder, ".env"), unwritable)).rejects.toThrow("choose a simpler value");
});

test("a description for the terminal names the file with the key and never contains it", () => {
  const text = describeEnvironment(ENVIRONMENT, ".social-connect/dev.json");
  expect(text).not.toContain("key-secret");
  expect(text).toContain("SOCIAL_CONNECT_KEY=<consumer.key in .social-connect/dev.json>");
  expect(text).toContain("SOCIAL_CONNECT_URL=http://127.0.0.1:4400");
});

test("a new file has the variables and is readable only by its owner", async () => {
  const file = join(folder, ".env");
  await checkEnvironmentFile(file);
  await writeEnvironmentFile(file, ENVIRONMENT);
  expect(await readFile(file, "utf8")).toBe(LINES);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual([".env"]);
});

test("an existing file keeps all other lines, and becomes readable only by its owner", async () => {
  const file = join(folder, ".env");
  const other = "# mine\nPORT=3000\n\nMY_SOCIAL_CONNECT_KEY=1\n";
  await writeFile(file, `${other}export SOCIAL_CONNECT_URL="http://localhost:1"\nNAME='x y'`);
  await chmod(file, 0o644);
  await checkEnvironmentFile(file);
  await writeEnvironmentFile(file, ENVIRONMENT);
  const [url, ...rest] = LINES.split(/(?<=\n)/);
  expect(await readFile(file, "utf8")).toBe(`${other}${url}NAME='x y'\n${rest.join("")}`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // Writing again changes nothing.
  const written = await readFile(file, "utf8");
  await writeEnvironmentFile(file, ENVIRONMENT);
  expect(await readFile(file, "utf8")).toBe(written);
});

test("line ends of the file are unchanged, and a symbolic link stays one", async () => {
  const [file, link] = [join(folder, "shared.env"), join(folder, ".env")];
  await writeFile(file, "PORT=3000\r\n");
  await symlink(file, link);
  await writeEnvironmentFile(link, ENVIRONMENT);
  expect(await readFile(file, "utf8")).toBe(`PORT=3000\r\n${LINES.replaceAll("\n", "\r\n")}`);
  expect(await readlink(link)).toBe(file);
});

test("Node and a shell read unusual values unchanged", async () => {
  const file = join(folder, ".env");
  const unusual = {
    ...ENVIRONMENT,
    SOCIAL_CONNECT_TENANT: `a "b" #c $HOME`,
    RETURN_URL: "http://localhost:1/a?b=it's&c",
  };
  await writeEnvironmentFile(file, unusual);
  const names = Object.keys(unusual).join(",");
  const print = `console.log(JSON.stringify(Object.fromEntries("${names}".split(",").map((n) => [n, process.env[n]]))))`;
  const node = await promisify(execFile)(process.execPath, [`--env-file=${file}`, "--eval", print], { env: {} });
  expect(JSON.parse(node.stdout)).toEqual(unusual);
  const shell = await promisify(execFile)("sh", [
    "-c",
    `set -a; . "${file}"; exec "$0" -e '${print}'`,
    process.execPath,
  ]);
  expect(JSON.parse(shell.stdout)).toEqual(unusual);
});

test("refuses a folder, a missing folder, and a file with the settings of a service elsewhere", async () => {
  await mkdir(join(folder, "sub"));
  await expect(checkEnvironmentFile(join(folder, "sub"))).rejects.toThrow("is a folder; name a file");
  await expect(checkEnvironmentFile(join(folder, "none", ".env"))).rejects.toThrow("does not exist; create it");
  const file = join(folder, ".env");
  await writeFile(file, 'SOCIAL_CONNECT_URL="https://social.example.com"\nSOCIAL_CONNECT_KEY=precious\n');
  const refusal = checkEnvironmentFile(file);
  await expect(refusal).rejects.toThrow("has the settings of another service in SOCIAL_CONNECT_URL; remove that line");
  await expect(refusal).rejects.not.toThrow("precious");
  // The control: a service on this machine is replaced.
  await writeFile(file, "SOCIAL_CONNECT_URL=http://localhost:4400\n");
  await checkEnvironmentFile(file);
});
