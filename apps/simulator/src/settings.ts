import { z } from "zod";
import { PROVIDERS } from "./providers/registry.ts";
import { jsonText } from "./shared/jsonText.ts";
import { byProvider, PROVIDER_KEYS, type ProviderKey } from "./shared/providerKeys.ts";
import type { SimulatorOptions } from "./startSimulator.ts";

const integer = (least: number, most: number, problem: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, problem)
    .transform(Number)
    .refine((value) => value >= least && value <= most, problem);
const port = integer(0, 65_535, "must be a port from 0 to 65535; 0 selects a free one");
const count = (least: number) => integer(least, Number.MAX_SAFE_INTEGER, `must be an integer from ${least}`);

const webUrl = z.url({ protocol: /^https?$/ });
const application = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  name: z.string().exactOptional(),
  redirectUris: z.array(webUrl).min(1),
});
const client = application.extend({
  deauthorizationUrl: webUrl.exactOptional(),
  dataDeletionUrl: webUrl.exactOptional(),
  webhookUrl: webUrl.exactOptional(),
});
const issuerClient = application.extend({ postLogoutRedirectUris: z.array(webUrl).exactOptional() });

export function portVariable(provider: ProviderKey): string {
  return `${provider.toUpperCase().replace("-", "_")}_PORT`;
}

const origin = webUrl.refine((url) => new URL(url).origin === url, "must be an origin, like http://localhost:14401");
const publicUrls = z.strictObject({
  simulator: origin,
  issuer: origin,
  providers: z.strictObject(byProvider(() => origin)),
});

const settings = z.object({
  SIMULATOR_PORT: port.default(4401),
  ISSUER_PORT: port.default(4402),
  SIMULATOR_HOST: z.string().min(1).default("127.0.0.1"),
  SIMULATOR_PUBLIC_URLS: jsonText(publicUrls).exactOptional(),
  SIMULATOR_SEED: z.string().min(1).exactOptional(),
  SIMULATOR_STATE_FILE: z.string().min(1).exactOptional(),
  SIMULATOR_CLIENTS: jsonText(z.strictObject(byProvider(() => z.array(client).exactOptional()))).default({}),
  ISSUER_CLIENTS: jsonText(z.array(issuerClient)).default([]),
  SIMULATOR_UNITS_PER_DAY: count(0).exactOptional(),
  SIMULATOR_CALLS_PER_MINUTE: count(0).exactOptional(),
  SIMULATOR_CALLS_PER_HOUR: count(1).exactOptional(),
});

const providerPorts = z.object(
  Object.fromEntries(PROVIDER_KEYS.map((provider) => [portVariable(provider), port.exactOptional()])),
);

/** Reads options from environment variables. Throws one error that names every invalid variable. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): SimulatorOptions {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settings.and(providerPorts).safeParse(given);
  if (!parsed.success) throw new Error(`Invalid settings of the simulator:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return {
    port: data.SIMULATOR_PORT,
    issuerPort: data.ISSUER_PORT,
    providerPorts: byProvider((provider) => data[portVariable(provider)] ?? PROVIDERS[provider].defaultPort),
    host: data.SIMULATOR_HOST,
    clients: data.SIMULATOR_CLIENTS,
    issuerClients: data.ISSUER_CLIENTS,
    ...(data.SIMULATOR_PUBLIC_URLS !== undefined && { publicUrls: data.SIMULATOR_PUBLIC_URLS }),
    ...(data.SIMULATOR_SEED !== undefined && { seed: data.SIMULATOR_SEED }),
    ...(data.SIMULATOR_STATE_FILE !== undefined && { stateFile: data.SIMULATOR_STATE_FILE }),
    limits: {
      ...(data.SIMULATOR_UNITS_PER_DAY !== undefined && { unitsPerDay: data.SIMULATOR_UNITS_PER_DAY }),
      ...(data.SIMULATOR_CALLS_PER_MINUTE !== undefined && { callsPerMinute: data.SIMULATOR_CALLS_PER_MINUTE }),
      ...(data.SIMULATOR_CALLS_PER_HOUR !== undefined && { callsPerHour: data.SIMULATOR_CALLS_PER_HOUR }),
    },
  };
}
