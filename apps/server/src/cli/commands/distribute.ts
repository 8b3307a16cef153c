import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import type { Address } from "../../platform/distribution/coordinator.ts";
import { DATABASE_ONLY, dryRunOption, UsageError, wholeNumber } from "./operator.ts";

interface DistributeCommandOptions {
  readonly dryRun?: boolean;
  readonly coordinator?: Address;
  readonly shards?: number;
  readonly rebalance?: true;
  readonly status?: true;
}

/** PostgreSQL plans a statement for all applications once for each shard. */
const MOST_SHARDS = 1_024;

const HIGHEST_PORT = 65_535;

export function addDistributeCommand(program: Command): void {
  program
    .command("distribute")
    .summary("distribute the tables over the nodes of a Citus cluster")
    .description(
      "Distribute the tables over the nodes of a Citus cluster. A run that was interrupted is continued by the next.",
    )
    .addOption(dryRunOption())
    .option(
      "--coordinator <host:port>",
      "where workers reach the coordinator, if the cluster does not know it",
      readAddress,
    )
    .option("--shards <count>", "shards of each table (default: 32)", (value) =>
      wholeNumber("--shards", value, 1, MOST_SHARDS),
    )
    .option("--rebalance", "move shards until each node has its part, while the service runs")
    .option("--status", "print where the tables are, as JSON")
    .action(run);
}

async function run({ status, rebalance, dryRun, coordinator, shards }: DistributeCommandOptions): Promise<void> {
  const distributes = dryRun ?? coordinator ?? shards;
  if ([status, rebalance, distributes].filter((option) => option !== undefined).length > 1) {
    throw new UsageError("--status and --rebalance take no other option");
  }
  const { withSessionUrl } = await import("../../composition/deploymentDatabase.ts");
  const settings = settingsFromEnvironment(DATABASE_ONLY);
  if (status) {
    const { readDistribution } = await import("../../platform/distribution/cluster.ts");
    console.log(JSON.stringify(await withSessionUrl(settings, readDistribution)));
  } else if (rebalance) {
    const { rebalance: moveShards } = await import("../../platform/distribution/rebalance.ts");
    const moves = await withSessionUrl(settings, (url) => moveShards(url, console.log));
    console.log(moves === 0 ? "each node has its part" : `moved shards ${moves} times`);
  } else {
    const { distribute } = await import("../../platform/distribution/distribute.ts");
    const steps = await withSessionUrl(settings, (url) =>
      distribute(url, {
        isDryRun: dryRun ?? false,
        ...(coordinator && { coordinator }),
        ...(shards && { shards }),
        onProgress: console.log,
      }),
    );
    if (steps === 0) console.log("the tables are distributed");
    else console.log(dryRun ? `${steps} steps to do; nothing was changed` : "the tables are distributed");
  }
}

function readAddress(value: string): Address {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
  if (host === undefined || Number(port) > HIGHEST_PORT)
    throw new UsageError(`--coordinator must be <host>:<port>, not ${value}`);
  return { host: host.replace(/^\[(.+)\]$/, "$1"), port: Number(port) };
}
