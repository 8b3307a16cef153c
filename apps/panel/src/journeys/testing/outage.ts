import type { TestService } from "./server.ts";

const MINUTE_MS = 60_000;
const WHOLE_SERVICE = "00000000-0000-0000-0000-000000000000";

/**
 * Stores ten calls to PROVIDER_B in each of the minutes that begin `from` to `until` minutes before now, of which four fail
 * unless another number is given.
 */
export async function createOutage(
  { prisma, clock }: Pick<TestService, "prisma"> & { readonly clock: Pick<TestService["clock"], "now"> },
  from: number,
  until: number,
  failed = 4,
): Promise<void> {
  const thisMinute = Math.floor((await clock.now()).getTime() / MINUTE_MS) * MINUTE_MS;
  const calls = [
    ["ok", 10 - failed],
    ["http_5xx", failed],
  ] as const;
  const data = Array.from({ length: until - from }, (_, minute) =>
    calls.map(([outcome, count]) => ({
      series: "provider_calls",
      seconds: 60,
      ownerId: WHOLE_SERVICE,
      startsAt: new Date(thisMinute - (from + minute) * MINUTE_MS),
      provider: "PROVIDER_B",
      kind: "api",
      outcome,
      code: "",
      count,
    })),
  );
  await prisma.rollup.createMany({ data: data.flat() });
}
