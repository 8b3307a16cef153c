import {
  MAX_QUOTA_RESERVE,
  MAX_QUOTA_UNITS,
  QUOTA_SCOPES,
  QUOTA_WINDOWS,
  type QuotaInput,
} from "@social-connect/domain";
import { type Command, Option } from "commander";
import {
  type ChangeOptions,
  dryRunOption,
  jsonOption,
  type OutputOptions,
  readId,
  UsageError,
  wholeNumber,
  withService,
} from "./operator.ts";
import { type Cell, list as listValues, print, table } from "./output.ts";

export function addQuotaCommands(program: Command): void {
  const quota = program.command("quota").summary("show and set what a registration may call at its provider");
  quota
    .command("show")
    .summary("each registration's quota, and what its clients used in the current window")
    .addOption(jsonOption())
    .action(show);
  quota
    .command("set")
    .argument("<registration id>", "", readId("a registration"))
    .summary("replace a registration's own quota; without an option its provider's default applies again")
    .option("--units <number>", "calls in a window", (value) => wholeNumber("--units", value, 1, MAX_QUOTA_UNITS))
    .addOption(new Option("--window <window>", "when the count resets").choices(QUOTA_WINDOWS))
    .addOption(new Option("--per <scope>", "what has its own budget").choices(QUOTA_SCOPES))
    .option("--reserve <part>", `the part for requested reads, 0 to ${MAX_QUOTA_RESERVE}`, readReserve)
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action(set);
}

async function show({ json = false }: OutputOptions): Promise<void> {
  const { readQuotas } = await import("../../modules/operations/quotas.ts");
  const registrations = await withService(readQuotas);
  const rows = registrations.flatMap(({ registrationId, provider, status, quota, uses }): Record<string, Cell>[] => {
    const registration = { registration: registrationId, provider, status };
    const { units, window, per, reserve } = quota;
    const limits = { units, window, per, reserve };
    if (uses.length === 0) return [{ ...registration, ...limits, read: "all", client: null, used: 0, share: null }];
    return uses.flatMap(({ read, used, clients }) => [
      { ...registration, ...limits, read: read ?? "all", client: "all", used, share: null },
      ...clients.map(({ clientSlug, used: own, share }) => {
        return { ...registration, ...limits, read: read ?? "all", client: clientSlug, used: own, share };
      }),
    ]);
  });
  print(registrations, { json, text: table(rows, "no registrations") });
}

async function set(id: string, { dryRun = false, json = false, ...input }: ChangeOptions & QuotaInput): Promise<void> {
  const { setQuota } = await import("../../modules/operations/quotas.ts");
  const isReset = Object.keys(input).length === 0;
  const quota = await withService((service) => setQuota(service, id, isReset ? null : input, dryRun));
  print({ ...quota, dryRun }, { json, text: `${dryRun ? "would apply" : "applies now"}:\n${listValues(quota)}` });
}

function readReserve(value: string): number {
  const reserve = Number(value);
  if (value.trim() !== "" && reserve >= 0 && reserve <= MAX_QUOTA_RESERVE) return reserve;
  throw new UsageError(`--reserve must be a number from 0 to ${MAX_QUOTA_RESERVE}, not ${value}`);
}
