import type { Database } from "../platform/database/database.ts";
import { ProviderBreakers } from "../providers/breakers.ts";
import type { Service } from "./service.ts";

/** The settings of a deployment that use cases need, under their names in `Settings`. */
export interface ServiceSettings extends Pick<Service, "mode" | "trustedProxies" | "previewOriginTemplate" | "issuer"> {
  readonly publicUrl: string;
  readonly adminUrl: string;
  readonly jitter: number | null;
}

/** What a service needs beside its settings. */
export interface ServiceParts
  extends Pick<Service, "clock" | "logger" | "telemetry" | "secretBox" | "queue" | "provider"> {
  readonly database: Pick<Database, "pool" | "prisma">;
  readonly reads: Pick<Database, "pool" | "prisma" | "hotReads">;
}

/** The only place that puts a service together: for processes, commands, tests and benchmarks. */
export function makeService(settings: ServiceSettings, { database, reads, ...parts }: ServiceParts): Service {
  const { publicUrl, adminUrl, jitter } = settings;
  return {
    ...parts,
    mode: settings.mode,
    connectHost: publicUrl,
    adminHost: adminUrl,
    trustedProxies: settings.trustedProxies,
    previewOriginTemplate: settings.previewOriginTemplate,
    issuer: settings.issuer,
    pool: database.pool,
    prisma: database.prisma,
    // Not copied: its Prisma client is created on first use.
    reads,
    hotReads: reads.hotReads,
    jitter: jitter === null ? Math.random : () => jitter,
    breakers: new ProviderBreakers({ clock: parts.clock, logger: parts.logger }),
  };
}
