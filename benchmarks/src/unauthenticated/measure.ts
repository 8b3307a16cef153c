/**
 * What callers without a key can cost. `pnpm benchmark unauthenticated [rounds] [connections]`
 *
 * 1. CPU time of the process for expensive requests without a key, with a malformed key and with a wrong one, against a
 *    plain refused call of the same kind in the same round: consumer API, admin API, panel.
 * 2. Connect pages while 300 connections request unknown pages, against their idle time, from the same and another network.
 *
 * Fails if a request costs more than twice a plain one, or a Connect page takes more than three times its idle median.
 */
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { describeMachine } from "../reads/machine.ts";
import { environmentOn, PROGRAMS, startSide } from "../reads/sides.ts";
import { reportChecks } from "../results/checks.ts";
import { floodOfPages } from "./pages.ts";
import { costsOfRefusals } from "./refusals.ts";

async function main(rounds: number, connections: number): Promise<boolean> {
  console.log(describeMachine());
  return withTemporaryDatabase(async (database) => {
    const environment = { ...environmentOn(database.url("postgres")), LOG_LEVEL: "silent" };
    const server = await startSide(PROGRAMS.service, environment);
    try {
      return reportChecks([
        ...(await costsOfRefusals(server, rounds)),
        ...(await floodOfPages(server.url, connections, rounds)),
      ]);
    } finally {
      await server.stop();
    }
  });
}

const [rounds = 8, connections = 300] = process.argv.slice(2).map(Number);
process.exitCode = (await main(rounds, connections)) ? 0 : 1;
