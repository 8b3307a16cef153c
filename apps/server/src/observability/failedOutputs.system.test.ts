/** @module-tag nightly */
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canMountDisk, eventually, mountDisk, readMetric, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Environment, type ServiceProcess, startProcess } from "../cli/testing/commandLine.ts";
import { query } from "../http/testing/testServer.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";

/**
 * Outputs that fail, of processes of the service: it continues to respond, counts what it drops, and reports it once it can
 * write again.
 */
const REPORT = /"msg":"dropped log lines that could not be written"/g;
const READINESS = "{ integrationReadiness { idpIdentityAvailable } }";
const DROPPED = "social_connect_output_dropped_total";

/** Ten times as many lines as a pipe and its process can hold. */
const MOST_LINES = 15_000;

let real: RealTimeService;
let environment: Environment;

beforeAll(async () => {
  real = await startRealTimeService();
  environment = {
    DATABASE_URL: real.databaseUrl,
    ENCRYPTION_KEYS: `test:${real.secretKey}`,
    SHUTDOWN_TIMEOUT_SECONDS: "5",
  };
});
afterAll(() => real?.service.close());

const start = async (role: "api" | "worker", options: readonly string[] = [], stdout: "pipe" | number = "pipe") => {
  const started = await startProcess(role, environment, { options, stdout });
  onTestFinished(() => started.kill());
  return started;
};

/** Calls of an application, each with a line in the log. Failed requests of unknown callers have few lines. */
async function logLines(service: ServiceProcess, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const calls = Array.from({ length: Math.min(left, 50) }, async () => {
      const { status } = await query(service, real.application.key, READINESS);
      expect(status).toBeLessThan(500);
    });
    await Promise.all(calls);
  }
}

const dropped = (service: ServiceProcess, reason: string) => readMetric(service, DROPPED, { output: "stdout", reason });

async function expectToServe(service: ServiceProcess): Promise<void> {
  expect((await fetch(`${service.operations}/readyz`)).status).toBe(200);
  expect(service.program.child.exitCode).toBeNull();
}

describe.skipIf(!canMountDisk)("a log on a full disk (needs root, to mount one)", () => {
  test.each([
    ["an api", "api", []],
    ["a worker", "worker", []],
    ["a supervisor and its processes", "api", ["--processes", "2"]],
  ] as const)("%s continues, and reports the dropped lines when there is room", async (_, role, options) => {
    const disk = mountDisk(65_536);
    onTestFinished(() => disk[Symbol.dispose]());
    const file = join(disk.path, "service.log");
    const descriptor = openSync(file, "a");
    // An empty file system of this kind has no limit.
    writeFileSync(join(disk.path, "other"), "other");
    disk.fill();
    const service = await start(role, options, descriptor);
    closeSync(descriptor);
    if (role === "api") await logLines(service, 20);
    await expectToServe(service);
    await eventually(async () => expect(await dropped(service, "disk_full")).toBeGreaterThan(0));
    expect(readFileSync(file, "utf8")).not.toMatch(REPORT);

    disk.extend(10_000_000);
    const reports = options.length === 0 ? 1 : 3;
    await eventually(() => expect(readFileSync(file, "utf8").match(REPORT)).toHaveLength(reports));
    const before = await dropped(service, "disk_full");
    if (role === "api") await logLines(service, 20);
    await expectToServe(service);
    expect(await dropped(service, "disk_full")).toBe(before);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("listening") && !isJson(line))).toEqual([]);
  });
});

test("an api continues when the reader of its log has ended", async () => {
  const service = await start("api");
  await logLines(service, 1);
  await eventually(() => expect(service.output.join()).toContain('"msg":"request"'));
  expect(await dropped(service, "closed")).toBe(0);
  service.program.child.stdout?.destroy();
  await logLines(service, 20);
  await eventually(async () => expect(await dropped(service, "closed")).toBeGreaterThan(0));
  await expectToServe(service);
});

test("an api continues while its log is not read, with bounded memory, and stops in time", async () => {
  const service = await start("api");
  await logLines(service, 1);
  service.program.child.stdout?.pause();
  for (let lines = 0; (await dropped(service, "slow_reader")) === 0; lines += 200) {
    expect(lines).toBeLessThan(MOST_LINES);
    await logLines(service, 200);
  }
  await expectToServe(service);
  service.program.child.stdout?.resume();
  await eventually(() => expect(service.output.join("\n").match(REPORT)).toHaveLength(1));
  const before = await dropped(service, "slow_reader");
  await logLines(service, 20);
  expect(await dropped(service, "slow_reader")).toBe(before);

  service.program.child.stdout?.pause();
  await logLines(service, 600);
  service.program.child.kill("SIGTERM");
  expect(await once(service.program.child, "exit")).toEqual([0, null]);
});

test.each([
  ["refuses", (response: { writeHead(status: number): { end(): void } }) => response.writeHead(503).end()],
  ["does not answer", () => undefined],
])("an api counts the spans that it drops while the collector %s", async (_, answer) => {
  const collector = await serve((_request, response) => answer(response));
  onTestFinished(() => collector.close());
  environment = {
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    OTEL_TRACES_SAMPLER: "always_on",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_BSP_MAX_QUEUE_SIZE: "20",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
  };
  const service = await start("api");
  await logLines(service, 100);
  await eventually(async () => expect(await readMetric(service, DROPPED, { output: "traces" })).toBeGreaterThan(0));
  await expectToServe(service);
  expect(service.output.filter((line) => line.includes("traces cannot be delivered"))).toHaveLength(1);
});

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
