/**
 * Compares the hot reads and the mocks with those of another checkout of the project, alternating in one run. Exits with 1
 * if a call costs more CPU time than there, beyond the noise.
 * `pnpm benchmark compare <folder of the other checkout> [seconds a turn] [rounds]`
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { withTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { readsOf } from "./reads/reads.ts";
import { type Seeded, seed } from "./reads/seed.ts";
import { environmentOn, requestOf, type Side, startSide, takeTurn } from "./reads/sides.ts";
import { median } from "./results/median.ts";

const run = promisify(execFile);
const HERE = fileURLToPath(new URL("../..", import.meta.url));
const CHILD = fileURLToPath(new URL("./mocks/child.ts", import.meta.url));
/** What two equal versions can differ by. */
const NOISE = 0.05;

interface Checkout {
  readonly folder: string;
  readonly database: string;
}

/** The median of the quotients of rounds: the cost of a call here divided by its cost there. */
interface Compared {
  readonly name: string;
  readonly quotient: number;
}

async function compareReads(there: string, seconds: number, rounds: number): Promise<readonly Compared[]> {
  return await withTemporaryDatabase(async (database) => {
    const client = new pg.Client({ connectionString: database.url("postgres") });
    await client.connect();
    const started: (Side & { readonly seeded: Seeded })[] = [];
    try {
      for (const checkout of [
        { folder: HERE, database: "here" },
        { folder: there, database: "there" },
      ]) {
        await client.query(`CREATE DATABASE ${checkout.database}`);
        started.push(await startService(checkout, database.url(checkout.database)));
      }
      const [own, other] = started.map(({ seeded, ...side }) => ({ side, seeded, reads: readsOf(seeded) }));
      if (own === undefined || other === undefined) throw new Error("A service did not start.");
      const compared: Compared[] = [];
      for (const [index, { name }] of own.reads.entries()) {
        const cost = async ({ side, seeded, reads }: typeof own, length: number): Promise<number> => {
          const read = reads[index];
          if (read === undefined) throw new Error(`No read ${name}.`);
          return (await takeTurn(side, requestOf("service", read), seeded.key, length)).cpuMs;
        };
        for (const side of [own, other]) await cost(side, 1);
        const quotients: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const [first, second] = round % 2 === 0 ? [own, other] : [other, own];
          const [one, two] = [await cost(first, seconds), await cost(second, seconds)];
          quotients.push(first === own ? one / two : two / one);
        }
        compared.push({ name, quotient: median(quotients) });
      }
      return compared;
    } finally {
      await client.end();
      await Promise.all(started.map((side) => side.stop()));
    }
  });
}

async function startService({ folder }: Checkout, url: string): Promise<Side & { readonly seeded: Seeded }> {
  const entry = ["cli/cli.ts", "cli.ts"].map((file) => join(folder, "apps/server/src", file)).find(existsSync);
  if (entry === undefined) throw new Error(`${folder} is not a checkout of this project.`);
  const side = await startSide([entry, "start", "--role", "api"], environmentOn(url));
  return { ...side, seeded: await seed(url) };
}

async function compareMocks(there: string, seconds: number, rounds: number): Promise<readonly Compared[]> {
  const folder = await mkdtemp(join(tmpdir(), "benchmark-compare-"));
  try {
    const modules: string[] = [];
    for (const [index, checkout] of [HERE, there].entries()) {
      const outDir = join(folder, String(index));
      await run(join(checkout, "node_modules/.bin/tsup"), ["--no-dts", "--silent", "--out-dir", outDir], {
        cwd: join(checkout, "packages/mocks"),
      });
      modules.push(pathToFileURL(join(outDir, "index.js")).href);
    }
    const quotients = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      const rates: Record<string, number>[] = [];
      for (const module of modules) rates.push(await measureRates(module, seconds));
      const [own, other] = rates;
      for (const [name, perSecond] of Object.entries(own ?? {}))
        quotients.set(name, [...(quotients.get(name) ?? []), (other?.[name] ?? Number.NaN) / perSecond]);
    }
    return [...quotients].map(([name, list]) => ({ name: `mocks: ${name}`, quotient: median(list) }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureRates(module: string, seconds: number): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    CHILD,
    "rates",
    module,
    String(seconds),
  ]);
  return JSON.parse(stdout) as Record<string, number>;
}

const [folder, seconds = "2", rounds = "5"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Pass the folder of another checkout, with its packages installed and its code generated.");
  process.exitCode = 2;
} else {
  const there = resolve(folder);
  const compared = [
    ...(await compareReads(there, Number(seconds), Number(rounds))),
    ...(await compareMocks(there, Number(seconds) / 2, Number(rounds))),
  ];
  console.log("| call | cost here / there |\n| --- | --: |");
  for (const { name, quotient } of compared) {
    const isSlower = !(quotient <= 1 + NOISE);
    if (isSlower) process.exitCode = 1;
    console.log(`| ${name} | ${quotient.toFixed(2)}${isSlower ? " SLOWER" : ""} |`);
  }
}
