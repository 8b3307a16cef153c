/** Compares a registry's known vulnerabilities with the reviewed findings. */

export interface Advisory {
  readonly id: string;
  readonly module: string;
  readonly severity: string;
  readonly title: string;
}

/** A finding accepted until a date: why it is harmless here, and when to review it again. */
export interface Allowance {
  readonly id: string;
  readonly reason: string;
  /** The last day, as `2026-12-31`. */
  readonly until: string;
}

const FAILING: readonly string[] = ["high", "critical"];

export type AuditResult =
  | { readonly outcome: "not asked"; readonly why: string }
  | { readonly outcome: "asked"; readonly advisories: readonly Advisory[]; readonly problems: readonly string[] };

/** Reads the JSON that `pnpm audit --json` printed. Anything but a report means that the registry was not asked. */
export function readAudit(output: string, allowances: readonly Allowance[], today: Date): AuditResult {
  const report = parse(output);
  const hasForm = typeof report?.["advisories"] === "object" && report["advisories"] !== null;
  // A report that cannot be read is a fault of this step, and must not pass for a registry that gave none.
  if (report !== null && !Array.isArray(report) && !hasForm && !("error" in report)) {
    return { outcome: "asked", advisories: [], problems: ["the report of the audit has an unknown form"] };
  }
  if (report === null || Array.isArray(report) || !hasForm) {
    const error = report?.["error"] as { readonly code?: unknown; readonly message?: unknown } | undefined;
    return {
      outcome: "not asked",
      why: String(error?.code ?? error?.message ?? "the response is not a report").slice(0, 200),
    };
  }
  const advisories = Object.values(report["advisories"] as Record<string, Record<string, unknown>>).map((one) => ({
    id: String(one["github_advisory_id"] ?? one["id"]),
    module: String(one["module_name"]),
    severity: String(one["severity"]),
    title: String(one["title"]),
  }));
  return { outcome: "asked", advisories, problems: problemsOf(advisories, allowances, today) };
}

function problemsOf(advisories: readonly Advisory[], allowances: readonly Allowance[], today: Date): string[] {
  const severe = advisories.filter(({ severity }) => FAILING.includes(severity));
  const isOver = ({ until }: Allowance) => !(Date.parse(`${until}T23:59:59Z`) >= today.getTime());
  return [
    ...severe.flatMap(({ id, module, severity, title }) => {
      const allowance = allowances.find((one) => one.id === id);
      return allowance !== undefined && !isOver(allowance) ? [] : [`${severity}: ${module}: ${title} (${id})`];
    }),
    ...allowances.flatMap((one) => [
      ...(one.reason.length < 20 ? [`the allowance of ${one.id} needs a reason`] : []),
      ...(isOver(one) ? [`the allowance of ${one.id} ended on ${one.until}: review it again`] : []),
    ]),
  ];
}

function parse(output: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
