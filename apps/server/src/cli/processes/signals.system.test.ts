import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { eventually, sampled, testDatabase } from "@social-connect/testkit";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { type Environment, type ServiceProcess, startProcess } from "../testing/commandLine.ts";

/** Signals, which mean the same in every role and on any number of cores. */
const HARMLESS = ["SIGUSR1", "SIGALRM", "SIGVTALRM", "SIGIO", "SIGPWR", "SIGXCPU"] as const;

let environment: Environment;

beforeAll(async () => {
  const { url, drop } = await testDatabase();
  environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString("base64")}`,
    SHUTDOWN_TIMEOUT_SECONDS: "5",
  };
  return drop;
});

async function start(...parameters: Parameters<typeof startProcess>): Promise<ServiceProcess> {
  const started = await startProcess(...parameters);
  onTestFinished(() => started.kill());
  return started;
}

async function childrenOf({ program }: ServiceProcess): Promise<readonly string[]> {
  const { pid } = program.child;
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(/\s+/).filter(Boolean);
}

async function expectToRun(service: ServiceProcess): Promise<void> {
  expect((await fetch(`${service.operations}/readyz`)).status).toBe(200);
  expect([service.program.child.exitCode, service.program.child.signalCode]).toEqual([null, null]);
}

describe.skipIf(spawnSync("taskset", ["-c", "0", "true"]).status !== 0)("on some of the cores (needs taskset)", () => {
  const some = [
    ["one core", "0", 1],
    ["two cores", "0,1", 2],
  ] as const;
  test.each(sampled(some, 0, 2))(
    "PROCESSES=auto on %s: SIGUSR2 replaces each process, others change nothing, SIGTERM stops",
    async (_, cores, count) => {
      const service = await start(
        "api",
        { ...environment, PROCESSES: "auto" },
        { command: ["taskset", "-c", cores, ...SERVICE_COMMAND] },
      );
      const before = await childrenOf(service);
      expect(before).toHaveLength(count);
      for (const signal of HARMLESS) service.program.child.kill(signal);
      await expectToRun(service);
      expect(await childrenOf(service)).toEqual(before);
      service.program.child.kill("SIGUSR2");
      await eventually(async () => {
        const now = await childrenOf(service);
        expect(now).toHaveLength(count);
        for (const pid of before) expect(now).not.toContain(pid);
      });
      await expectToRun(service);
      service.program.child.kill("SIGTERM");
      expect(await once(service.program.child, "exit")).toEqual([0, null]);
    },
  );
});

test.each([
  ["api", "SIGINT"],
  ["worker", "SIGHUP"],
  ["both", "SIGTERM"],
] as const)(
  "%s as one process: SIGUSR2 and others change nothing and are reported, %s stops",
  async (role, stopSignal) => {
    const service = await start(role, environment);
    for (const signal of [...HARMLESS, "SIGUSR2"] as const) service.program.child.kill(signal);
    await eventually(() => {
      for (const signal of HARMLESS)
        expect(service.warnings.join("\n")).toContain(`social-connect: ${signal} is ignored.`);
      expect(service.warnings.join("\n")).toContain("social-connect: SIGUSR2 is ignored: no supervisor runs here");
    });
    await expectToRun(service);
    service.program.child.kill(stopSignal);
    expect(await once(service.program.child, "exit")).toEqual([0, null]);
  },
);

test("a second signal and SIGQUIT end a process immediately", async () => {
  const service = await start("api", { ...environment, DRAIN_SECONDS: "60" });
  service.program.child.kill("SIGTERM");
  await eventually(async () => expect((await fetch(`${service.operations}/readyz`)).status).toBe(503));
  const exit = once(service.program.child, "exit");
  service.program.child.kill("SIGQUIT");
  expect(await exit).toEqual([1, null]);
});
