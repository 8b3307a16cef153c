import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { addressProblem, asEmailAddress, checkPreviewTemplate, parseUrl } from "@social-connect/domain";
import { z } from "zod";
import { Secret } from "../platform/secrets/secret.ts";
import type { EncryptionKey } from "../platform/secrets/secretBox.ts";
import { readDatabaseUrl } from "./databaseUrl.ts";

/** Parsers of single environment variables. A message states the problem and never repeats a secret. */

export const port = wholeNumber(1, 65_535);

export function wholeNumber(least: number, most: number) {
  const message = `it is not a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

export const MOST_PROCESSES = 256;

/** A number of processes; `auto`: one for each core that the process may use. */
export const processCount = z.union([z.literal("auto"), wholeNumber(1, MOST_PROCESSES)], {
  error: `it is neither auto nor a whole number from 1 to ${MOST_PROCESSES}`,
});
export type ProcessCount = z.output<typeof processCount>;

/** A number from 0 to 1. */
export const share = z
  .string()
  .regex(/^(?:0(\.\d{1,9})?|1(\.0{1,9})?)$/, "it is not a number from 0 to 1")
  .transform(Number);

/** A number from 0 to below 1. */
export const fraction = z
  .string()
  .regex(/^0(\.\d{1,9})?$/, "it is not a number from 0 to below 1")
  .transform(Number);

/**
 * Base URL of this service; without a trailing slash. Live mode rejects plain http elsewhere: a sandbox may use it on a
 * private network.
 */
export const baseAddress = z.string().transform((text, context): string => {
  const problem = addressProblem(text.replace(/^http:\/\//, "https://"), { allowLoopbackHttp: false });
  if (problem !== null) return refuse(context, asProblem(problem));
  const root = withoutSlash(text).replace(OWN_PATH, "");
  return root === withoutSlash(text) ? root : refuse(context, `it ends in a path of the service: use ${root}`);
});

/** What is copied with the URL from a browser. */
const OWN_PATH = /\/(?:panel|graphql|schema\.graphql|api\/admin)(?:\/.*)?$/;

/** The name of an OpenID provider, as it writes it: a final slash is part of it. */
export const issuerName = z.string().transform((text, context): string => {
  const problem = addressProblem(text, { allowLoopbackHttp: true });
  return problem === null ? text : refuse(context, asProblem(problem));
});

/** The URL of a collector of telemetry, which may be on a private network. */
export const otlpAddress = z.string().transform((text, context): string => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return refuse(context, "it is not an http or https URL");
  return text;
});

/** HTTP headers as `name=value` pairs. The exporter drops a pair that it cannot read, without a message. */
export const headerPairs = z
  .string()
  .refine(
    (text) => text.split(",").every(isHeaderPair),
    "it is not a list of name=value pairs with percent-encoded values",
  );

function isHeaderPair(pair: string): boolean {
  const [, value = null] = /^\s*[\w!#$%&'*+.^`|~-]+\s*=(.*)$/s.exec(pair) ?? [];
  if (value === null) return false;
  try {
    return /^[\t\x20-\x7e]*$/.test(decodeURIComponent(value.trim()));
  } catch {
    return false;
  }
}

/** A file that this process can read. */
export const readableFile = z.string().refine((path) => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}, "it is not a file with content that this process can read");

function withoutSlash(address: string): string {
  return address.replace(/(?<!\/)\/+$/, "");
}

/**
 * Problems of settings are joined into one sentence, without the full stop. Never with the value, which may contain a
 * password.
 */
function asProblem(message: string): string {
  return message.replace(/: http\S*$/, "").replace(/\.$/, "");
}

export const secret = z.string().transform((text) => new Secret(text));

export const postgresUrl = z.string().transform((text, context): Secret => {
  const read = readDatabaseUrl(text);
  return "problem" in read ? refuse(context, read.problem) : new Secret(read.url);
});

/** A program with its arguments, which no shell reads. */
export const commandLine = z.string().transform((text, context): readonly [string, ...string[]] => {
  const parts = text.startsWith("[") ? stringsOf(text) : text.split(/\s+/);
  const [program, ...parameters] = parts ?? [];
  return program ? [program, ...parameters] : refuse(context, "it is not a command");
});

function stringsOf(json: string): readonly string[] | null {
  try {
    return z.array(z.string()).parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** IP addresses and CIDR ranges. */
export const proxyNetworks = z.string().transform((text, context): string[] => {
  const entries = splitList(text);
  for (const [index, entry] of entries.entries()) {
    const problem = networkProblem(entry);
    if (problem !== null) return refuse(context, `entry ${index + 1} (${JSON.stringify(entry)}) ${problem}`);
  }
  return entries;
});

function networkProblem(entry: string): string | null {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return "is not an IP address or a CIDR range";
  if (prefix === undefined) return null;
  const most = family === 4 ? 32 : 128;
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > most) return `needs a prefix from 0 to ${most}`;
  if (address.includes("%")) return "has a zone, which a CIDR range cannot have";
  if (/^::ffff:/i.test(address)) return "is an IPv4 range in the form of an IPv6 range: write the IPv4 range";
  return null;
}

export const emailList = z.string().transform((text, context): string[] => {
  const emails: string[] = [];
  for (const entry of splitList(text)) {
    const email = asEmailAddress(entry);
    if (email === null) return refuse(context, `${JSON.stringify(entry)} is not an email address`);
    emails.push(email);
  }
  return emails;
});

export const previewTemplate = z.string().transform((text, context): string => {
  const refusal = checkPreviewTemplate(text, { allowLoopbackHttp: true });
  return refusal === null ? text : refuse(context, "it is not an origin with {label} as its first DNS label");
});

const KEY_BYTES = 32;
/** In place of a key: its values cannot be decrypted again. */
const LOST = "lost";

export interface EncryptionKeys {
  readonly keys: readonly EncryptionKey[];
  readonly lostIds: readonly string[];
}

export const encryptionKeys = z.string().transform((text, context): EncryptionKeys => {
  const keys: EncryptionKey[] = [];
  const lostIds: string[] = [];
  for (const [index, entry] of splitList(text).entries()) {
    const [, id, key] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? [];
    if (id === undefined || key === undefined)
      return refuse(context, `entry ${index + 1} does not have the form id:key`);
    if (key !== LOST && Buffer.from(key, "base64").length !== KEY_BYTES) {
      return refuse(context, `the key of entry ${index + 1} is not ${KEY_BYTES} bytes of base64`);
    }
    if (lostIds.includes(id) || keys.some((other) => other.id === id)) {
      return refuse(context, `entry ${index + 1} repeats an id`);
    }
    if (key === LOST) lostIds.push(id);
    else keys.push({ id, key: new Secret(key) });
  }
  if (keys.length === 0 && lostIds.length > 0) return refuse(context, "every key is lost; add a new one");
  return { keys, lostIds };
});

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
