import { execFile } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Their grants cannot be revoked by a program. */
const LEFT_TO_USER = ["PROVIDER_C"];
const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

test("the demo goes from consent to both receipts at every provider and leaves nothing behind", async () => {
  const temporaryFolder = await mkdtemp(join(tmpdir(), "social-connect-demo-test-"));
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, MAIN, "--json"], {
    env: { ...process.env, TMPDIR: temporaryFolder },
    maxBuffer: 32 * 1_024 * 1_024,
  });
  const steps = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const providers = new Set(steps.flatMap(({ provider }) => provider ?? []));
  expect([...providers]).toEqual(expect.arrayContaining(["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"]));
  for (const provider of providers) {
    const of = (name: string) => steps.find((step) => step.step === name && step.provider === provider);
    expect(of("connect")).toMatchObject({ result: "COMPLETED", returnedWith: "COMPLETED" });
    expect(of("profile").profile.displayName).not.toBe("");
    expect(of("posts").count).toBeGreaterThanOrEqual(20);
    expect(of("lookup").found).toBeTruthy();
    expect(of("refresh").views).toMatch(/^\d+$/);
    expect(of("revoke-receipt").receipt).toMatchObject(
      LEFT_TO_USER.includes(provider)
        ? { status: "FAILED", errorCode: "REVOKE_UNSUPPORTED", creatorAction: "REMOVE_APP_AT_PROVIDER" }
        : { status: "SUCCEEDED" },
    );
    expect(of("erase-receipt").receipt).toMatchObject({ status: "SUCCEEDED" });
  }
  expect(steps.at(-1)).toMatchObject({ step: "done" });
  // Not even its temporary folder is left, so an empty parent goes without force.
  await rmdir(temporaryFolder);
});
