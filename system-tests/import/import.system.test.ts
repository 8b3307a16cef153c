/**
 * An application moves in with the grants of its old integration, at three providers, with a twentieth of its lines bad in each of
 * nine ways. The import is killed five times and continues. SWEEP=all imports 20,000 lines and bounds the reads of others, and
 * after `pnpm build` the memory.
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Application } from "../../packages/conformance/src/target/target.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { grantsOf, openAccounts } from "../actors/accounts.ts";
import { callAs, linkAccount } from "../actors/person.ts";
import { type Deployment, startDeployment } from "../deployment/deployment.ts";
import { findConnections } from "../facts/facts.ts";
import { isBuilt, runImport } from "./importProcess.ts";
import { type OldTokens, oldIntegration } from "./oldIntegration.ts";

const LINES = SWEEPS_ALL ? 20_000 : 200;
const KILLS = 5;
/** The lines that the command imports at the same time: a kill can meet each of them within a renewal. */
const LANES = 4;
/** Ends hangs. */
const HANGS_AFTER_MS = 5_400_000;
const MEGABYTE = 1_048_576;
const MOST_RESIDENT_BYTES = 150 * MEGABYTE;
/** The most that a read may take during an import, as a multiple of its median without one. */
const MOST_SLOWDOWN = 1.5;
const READS = SWEEPS_ALL ? 1_000 : 20;
const CONSENTS_AT_A_TIME = 8;

interface Line {
  /** Its text in the file. */
  readonly text: string;
  /** How it must end. */
  readonly expected: string;
  readonly subject?: string;
  readonly provider?: SocialProvider;
}

let deployment: Deployment;
let application: Application;
let folder: string;
let slug: string;
let accountIds: ReadonlyMap<string, string>;

/** The accounts of the users; each is a tester, except `stranger`. */
const NAMES = ["own", "other", "dead", "stranger"] as const;
const accountOf = (provider: SocialProvider, name: string) => `import-${providerSlug(provider)}-${name}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  deployment = await startDeployment({ roles: ["api", "worker"] });
  application = await deployment.operator.createApplication();
  slug = new URL(application.webOrigin).hostname.split(".")[0] ?? "";
  const open = async (names: readonly string[], applications: readonly Application[]) => {
    const accounts = SOCIAL_PROVIDERS.flatMap((provider) =>
      names.map((name) => ({ provider, name: accountOf(provider, name) })),
    );
    const ids = await openAccounts(deployment, applications, accounts);
    return accounts.map(({ name }, index) => [name, ids[index] ?? ""] as const);
  };
  const testers = await open(NAMES.slice(0, -1), [application]);
  accountIds = new Map([...testers, ...(await open(NAMES.slice(-1), []))]);
}, HANGS_AFTER_MS);

afterAll(async () => {
  await deployment?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Consent = (provider: SocialProvider, account: string) => Promise<OldTokens>;

/** The line of a user, with a grant of its own. */
async function makeLine(consent: Consent, index: number): Promise<Line> {
  const provider = SOCIAL_PROVIDERS[index % SOCIAL_PROVIDERS.length] ?? "PROVIDER_A";
  const subject = `user-${index}`;
  const kind = Math.floor(index / SOCIAL_PROVIDERS.length) % 20;
  const accountName = kind === 3 ? "dead" : kind === 5 ? "stranger" : "own";
  const user = { provider, client: slug, tenantKey: application.tenantKeys[0], externalSubjectId: subject };
  const isUsed = ![0, 1, 6, 7, 8].includes(kind);
  const tokens = isUsed ? await consent(provider, accountOf(provider, accountName)) : unusedTokens(provider, index);
  const accountId = accountIds.get(accountOf(provider, accountName));
  const named = index % 2 === 0 ? { accountId } : {};
  const line = (fields: object, expected: string): Line => {
    return { text: JSON.stringify({ ...user, ...tokens, ...named, ...fields }), expected, subject, provider };
  };
  switch (kind) {
    case 0:
      return { text: line({}, "").text.slice(0, -1), expected: "INVALID_LINE" };
    case 1:
      return line({ client: "no-such-client" }, "UNKNOWN_CLIENT");
    case 2:
      return line({ accountId: accountIds.get(accountOf(provider, "other")) }, "ACCOUNT_MISMATCH");
    case 3:
      return line({}, "GRANT_ENDED");
    case 4:
      return line({ scopes: ["of.another.client"] }, "NO_CAPABILITY_GRANTED");
    case 5:
      return line({}, "NOT_A_TESTER");
    case 6:
      return line({ accessToken: null, refreshToken: null }, "INVALID_LINE");
    case 7:
      return line({ tenantKey: "x".repeat(70_000) }, "INVALID_LINE");
    case 8:
      return line({ surplus: true }, "INVALID_LINE");
    default:
      return line({}, "CONNECTED");
  }
}

/** Tokens of a line that is refused before they are used. A token that rotates may be in one line only. */
function unusedTokens(provider: SocialProvider, index: number): Partial<OldTokens> {
  return { [provider === "PROVIDER_C" ? "accessToken" : "refreshToken"]: `${UNUSED}${index}` };
}

const UNUSED = "unused-";

async function makeLines(count: number): Promise<Line[]> {
  const consent = oldIntegration(deployment);
  const lines: Line[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      lines[index] = await makeLine(consent, index);
    }
  };
  await Promise.all(Array.from({ length: CONSENTS_AT_A_TIME }, work));
  for (const provider of SOCIAL_PROVIDERS) await deployment.provider.endGrants(provider, accountOf(provider, "dead"));
  // A twentieth of the lines is repeated later.
  const repeated = lines
    .filter((_, index) => index % 20 === 19)
    .map((line): Line => {
      return line.expected === "INVALID_LINE" || line.expected === "UNKNOWN_CLIENT"
        ? line
        : { ...line, expected: "DUPLICATE_LINE" };
    });
  return [...lines, ...repeated];
}

interface Reported {
  readonly line: number;
  readonly status: string;
  readonly code: string | null;
  readonly connectionId: string | null;
  readonly externalSubjectId: string | null;
}

async function readReport(path: string): Promise<readonly Reported[]> {
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Reported);
}

async function countStarted(): Promise<number> {
  const { rows } = await deployment.database.query<{ count: number }>("SELECT count(*)::int AS count FROM import_line");
  return rows[0]?.count ?? 0;
}

/** The median time of reads of another client's user. */
async function medianRead(reader: Application, isOver: () => boolean, most: number): Promise<number> {
  const times: number[] = [];
  while (!isOver() && times.length < most) {
    const startedAtMs = performance.now();
    const scope = { tenantKey: reader.tenantKeys[0], externalSubjectId: "import-reader" };
    await callAs(reader, "connections", { scope });
    times.push(performance.now() - startedAtMs);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

test(
  "a move in that is killed five times ends each line rightly, sends no rotating token twice, and connects nobody without proof",
  async () => {
    const reader = await deployment.operator.createApplication();
    const account = { provider: "PROVIDER_A", name: "import-reader" } as const;
    await openAccounts(deployment, [reader], [account]);
    await linkAccount(deployment, reader, account);
    const before = await findConnections(deployment.database);

    const lines = await makeLines(LINES);
    const [file, report] = [join(folder, "grants.ndjson"), join(folder, "report.ndjson")];
    await writeFile(file, `${lines.map(({ text }) => text).join("\n")}\n`, { mode: 0o600 });
    const checked = await runImport(deployment, [file, "--check"]);
    expect(checked.exitCode).toBe(4);
    expect(checked.output.split("\n").filter((line) => line.includes("INVALID_LINE"))).toHaveLength(
      lines.filter(({ expected }) => expected === "INVALID_LINE").length,
    );
    expect(await countStarted()).toBe(0);

    await medianRead(reader, () => false, READS);
    const idleMs = await medianRead(reader, () => false, READS);
    const parameters = [file, "--report", report, "--share", "1"];
    const starts = lines.filter(({ expected }) => isStarted(expected)).length;
    let isOver = false;
    // Reads that nothing is compared with would only take the processor from the import.
    const reading = medianRead(reader, () => isOver, SWEEPS_ALL ? Number.POSITIVE_INFINITY : READS);
    const startedAtMs = performance.now();
    const peaks: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const isTime = async () => (await countStarted()) >= (starts * kill) / (KILLS + 1);
      const killed = await runImport(deployment, kill === 1 ? parameters : [...parameters, "--resume"], { isTime });
      expect(killed).toEqual({ exitCode: null, output: expect.anything(), peakBytes: expect.anything() });
      peaks.push(killed.peakBytes);
    }
    await expect(runImport(deployment, [file])).resolves.toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("repeat the command with --resume"),
    });
    const last = await runImport(deployment, [...parameters, "--resume"]);
    peaks.push(last.peakBytes);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    isOver = true;
    const busyMs = await reading;
    const peakBytes = Math.max(...peaks);
    expect(last.output).toContain(" connected");
    expect(last.exitCode).toBe(4);

    const reported = await readReport(report);
    expect(reported.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    const isInterrupted = ({ code }: Reported, { provider, expected }: Line) =>
      code === "RENEWAL_INTERRUPTED" && provider === "PROVIDER_B" && isStarted(expected);
    const wrong = reported.filter((one, index) => {
      const line = lines[index] as Line;
      return (one.code ?? one.status) !== line.expected && !isInterrupted(one, line);
    });
    expect(wrong).toEqual([]);
    const interrupted = reported.filter(({ code }) => code === "RENEWAL_INTERRUPTED").length;
    expect(interrupted).toBeLessThanOrEqual(KILLS * LANES);

    const connected = reported.filter(({ status }) => status === "CONNECTED");
    const connections = (await findConnections(deployment.database)).filter(
      ({ id }) => !before.some((one) => one.id === id),
    );
    expect(new Map(connections.map(({ id, subject }) => [id, subject]))).toEqual(
      new Map(connected.map(({ connectionId, externalSubjectId }) => [connectionId, externalSubjectId])),
    );
    let [renewed, again] = [0, 0];
    for (const provider of SOCIAL_PROVIDERS) {
      for (const name of NAMES) {
        for (const { uses, ended } of await grantsOf(deployment.simulatorUrl, {
          provider,
          name: accountOf(provider, name),
        })) {
          renewed += Math.min(uses.refreshes, 1);
          again += Math.max(uses.refreshes - 1, 0);
          expect(uses).toMatchObject({
            revocations: 0,
            overlappingRefreshes: 0,
            replayedRefreshes: 0,
            blindRefreshes: 0,
          });
          if (provider === "PROVIDER_B") expect(uses.refreshes).toBeLessThanOrEqual(1);
          expect(ended === null).toBe(name !== "dead");
        }
      }
    }
    // A token that can be used again is sent again if the process was killed before the answer was stored.
    expect(again).toBeLessThanOrEqual(KILLS * LANES);
    const needed = connected.filter(({ line }) => lines[line - 1]?.provider !== "PROVIDER_C").length;
    expect(renewed).toBeGreaterThanOrEqual(needed);

    const { rows: left } = await deployment.database.query("SELECT id FROM provider_grant WHERE status = 'PENDING'");
    expect(left).toEqual([]);
    const texts = [checked.output, last.output, await readFile(report, "utf8"), ...deployment.processes.map(logOf)];
    const secrets = lines.flatMap(({ text }) => text.match(/"(?:accessToken|refreshToken)":"([^"]+)"/g) ?? []);
    const shown = texts.join("\n");
    for (const secret of secrets.slice(0, 500).map((field) => field.split('"').at(-2) ?? ""))
      if (!secret.startsWith(UNUSED)) expect(shown).not.toContain(secret);

    console.log(
      `${lines.length} lines in ${Math.round(seconds)} s with ${KILLS} kills: ${connected.length} connected, ` +
        `${interrupted} interrupted renewals, ${again} repeated renewals of reusable tokens; ` +
        `peak resident ${Math.round(peakBytes / MEGABYTE)} MB; reads of another client ${idleMs.toFixed(1)} ms idle, ` +
        `${busyMs.toFixed(1)} ms during the import (${(busyMs / idleMs).toFixed(2)} times)`,
    );
    if (SWEEPS_ALL) {
      if (isBuilt) expect(peakBytes).toBeLessThan(MOST_RESIDENT_BYTES);
      expect(busyMs / idleMs).toBeLessThan(MOST_SLOWDOWN);
    }
    const again2 = await runImport(deployment, [...parameters, "--resume"]);
    expect(again2.exitCode).toBe(4);
    expect(await readReport(report)).toEqual(reported);
  },
  HANGS_AFTER_MS,
);

/** Whether a line with this end is begun: its grant is stored and used. */
function isStarted(expected: string): boolean {
  return ["CONNECTED", "ACCOUNT_MISMATCH", "GRANT_ENDED"].includes(expected);
}

const logOf = ({ program }: { readonly program: { output(): string } }) => program.output();

test("a good file ends with 0, Ctrl+C prints how to continue, and a report follows no link", async () => {
  const consent = oldIntegration(deployment);
  const user = { provider: "PROVIDER_A", client: slug, tenantKey: application.tenantKeys[0] };
  const texts: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const tokens = await consent("PROVIDER_A", accountOf("PROVIDER_A", "own"));
    texts.push(JSON.stringify({ ...user, externalSubjectId: `good-${index}`, ...tokens }));
  }
  const [file, report, link] = ["good.ndjson", "good-report.ndjson", "link.ndjson"].map((name) => join(folder, name));
  if (file === undefined || report === undefined || link === undefined) throw new Error("There are three paths.");
  await writeFile(file, texts.join("\n"), { mode: 0o600 });
  await symlink(file, link);
  for (const parameters of [[], ["--resume"]])
    expect(await runImport(deployment, [file, "--report", link, ...parameters])).toMatchObject({ exitCode: 1 });
  expect(await readFile(file, "utf8")).toBe(texts.join("\n"));
  expect(await runImport(deployment, [file, "--report", file, "--resume"])).toMatchObject({ exitCode: 2 });
  expect(await runImport(deployment, [file, "--as", "nobody@example.test"])).toMatchObject({ exitCode: 2 });

  const first = await countStarted();
  const isTime = async () => (await countStarted()) > first;
  const stopped = await runImport(deployment, [file, "--report", report], { isTime, signal: "SIGINT" });
  if (stopped.exitCode !== 0) {
    expect(stopped.exitCode).toBe(3);
    expect(stopped.output).toMatch(/to continue: social-connect import '.*good\.ndjson' --resume --report '/);
  }
  expect(
    await runImport(deployment, [file, "--report", report, "--resume", "--as", "admin@example.test"]),
  ).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining("12 connected"),
  });
  const { rows } = await deployment.database.query(
    "SELECT count(*)::int AS count FROM audit_entry WHERE action = 'Connection imported' AND actor IN ('admin@example.test', 'System')",
  );
  expect(rows[0].count).toBeGreaterThanOrEqual(12);
});
