/**
 * Compares the hot reads of the consumer API with hand-written versions, alternating in one run, because machines
 * differ and change. `pnpm benchmark [seconds a turn] [rounds]`
 */
import { fileURLToPath } from "node:url";
import { withTemporaryDatabase } from "../../tools/temporaryDatabase.ts";
import { readsOf } from "./cases.ts";
import { seed } from "./seed.ts";
import type { Turn } from "./sides.ts";
import { environmentOn, medianOf, startSide, stopSide, takeTurn } from "./sides.ts";

const SERVER = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const HANDWRITTEN = fileURLToPath(new URL("./handwritten.ts", import.meta.url));

async function main(seconds: number, rounds: number): Promise<void> {
  await withTemporaryDatabase(async (database) => {
    const url = database.url("postgres");
    const environment = environmentOn(url);
    const service = await startSide([SERVER, "start", "--role", "api"], environment, "listening");
    const seeded = await seed(url);
    const byHand = await startSide([HANDWRITTEN], environment, "ready");
    try {
      console.log(heading());
      for (const read of readsOf(seeded)) {
        const ofService = (length: number) => takeTurn(service, { path: "/graphql", body: read }, seeded.key, length);
        const handwritten = (length: number) => takeTurn(byHand, { path: read.path, body: read }, seeded.key, length);
        const turns = { ofService: [] as Turn[], handwritten: [] as Turn[] };
        await ofService(1);
        await handwritten(1);
        for (let round = 0; round < rounds; round += 1) {
          turns.ofService.push(await ofService(seconds));
          turns.handwritten.push(await handwritten(seconds));
        }
        console.log(line(read.name, medianOf(turns.ofService), medianOf(turns.handwritten)));
      }
    } finally {
      await Promise.all([service, byHand].map(stopSide));
    }
  });
}

function heading(): string {
  return "| read | service | hand-written | quotient | CPU of the service | CPU hand-written |\n| --- | --: | --: | --: | --: | --: |";
}

function line(name: string, service: Turn, byHand: Turn): string {
  const speed = ({ perSecond, medianMs }: Turn) => `${Math.round(perSecond)}/s (${medianMs.toFixed(1)} ms)`;
  const cpu = ({ cpuMs }: Turn) => `${cpuMs.toFixed(2)} ms`;
  const quotient = (service.perSecond / byHand.perSecond).toFixed(2);
  return `| ${name} | ${speed(service)} | ${speed(byHand)} | ${quotient} | ${cpu(service)} | ${cpu(byHand)} |`;
}

const [seconds = 2, rounds = 5] = process.argv.slice(2).map(Number);
await main(seconds, rounds);
