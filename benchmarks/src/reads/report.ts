import { median } from "../results/median.ts";
import type { Read } from "./reads.ts";
import type { SideName, Turn } from "./sides.ts";

export interface Row {
  readonly read: Read;
  /** One turn of each server in each round. */
  readonly turns: Readonly<Partial<Record<SideName, readonly Turn[]>>> & { readonly service: readonly Turn[] };
}

const TITLES: Readonly<Record<SideName, string>> = {
  service: "service",
  limit: "limit",
  postgraphile: "PostGraphile",
  apollo: "Apollo, Prisma",
};

/** The median of each number. */
function medianOf(turns: readonly Turn[]): Turn {
  return {
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    medianMs: median(turns.map(({ medianMs }) => medianMs)),
    cpuMs: median(turns.map(({ cpuMs }) => cpuMs)),
    databaseMs: median(turns.map(({ databaseMs }) => databaseMs)),
  };
}

/** The median of the quotients of rounds, so that a slow time of the machine affects one round only. */
function quotientOf(turns: readonly Turn[], others: readonly Turn[]): number {
  return median(turns.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)));
}

export function heading(sides: readonly SideName[]): string {
  const others = sides.filter((name) => name !== "service");
  const titles = ["read", "service", ...others.flatMap((name) => [TITLES[name], "quotient (bound)"])];
  return `| ${titles.join(" | ")} |\n| --- |${" --: |".repeat(titles.length - 1)}`;
}

/** Requests per second, and CPU time per request of the process + the database. */
export function line({ read, turns }: Row): string {
  const cells = namesOf(turns).flatMap((name) => {
    const { perSecond, cpuMs, databaseMs } = medianOf(turns[name] ?? []);
    const measured = `${Math.round(perSecond)}/s, ${cpuMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms`;
    if (name === "service") return [measured];
    const bound = read.bounds[name];
    const quotient = quotientOf(turns.service, turns[name] ?? []).toFixed(2);
    return [measured, bound === undefined ? quotient : `${quotient} (${bound})`];
  });
  return `| ${[read.name, ...cells].join(" | ")} |`;
}

/** The bounds that were not reached. */
export function missedBounds({ read, turns }: Row): string[] {
  return namesOf(turns).flatMap((name) => {
    const bound = name === "service" ? undefined : read.bounds[name];
    const quotient = quotientOf(turns.service, turns[name] ?? []);
    // Not `<`, which is false if a quotient is NaN.
    if (bound === undefined || quotient >= bound) return [];
    return [`${read.name}: ${quotient.toFixed(2)} of ${TITLES[name]}, at least ${bound}`];
  });
}

function namesOf(turns: Row["turns"]): SideName[] {
  return Object.keys(turns) as SideName[];
}
