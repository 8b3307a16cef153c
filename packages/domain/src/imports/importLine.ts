import { LIMITS, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { parseDateTime } from "../text/scalars.ts";
import { checkText, utf8Text } from "../text/text.ts";

/** An existing consent, from a line of an import file. */
export interface ImportLine extends SubjectScope {
  readonly provider: SocialProvider;
  /** Slug of the client. */
  readonly client: string;
  /** The account that the provider has to name; null: any. */
  readonly accountId: string | null;
  readonly accessToken: string | null;
  readonly accessTokenExpiresAt: Date | null;
  readonly refreshToken: string | null;
  readonly refreshTokenExpiresAt: Date | null;
  /** Scopes of the consent, by the provider's names; null if the file does not say. */
  readonly scopes: readonly string[] | null;
  /** When the account was linked before. Only the audit log has it. */
  readonly connectedAt: Date | null;
}

/** What is wrong with a line. Never repeats what the line contains: it may be a token. */
export interface InvalidLine {
  readonly problem: string;
}

export const MOST_LINE_BYTES = 65_536;
const MOST_TOKEN_CHARACTERS = 16_384;
const MOST_SCOPES = 100;
const BYTE_ORDER_MARK = "\u{FEFF}";

const REQUIRED = ["provider", "client", "tenantKey", "externalSubjectId"];
const LONGEST_TEXTS = {
  provider: 64,
  client: 64,
  tenantKey: LIMITS.scopeStringMaxLength,
  externalSubjectId: LIMITS.scopeStringMaxLength,
  accountId: 256,
  accessToken: MOST_TOKEN_CHARACTERS,
  refreshToken: MOST_TOKEN_CHARACTERS,
};
const TIMES = ["accessTokenExpiresAt", "refreshTokenExpiresAt", "connectedAt"] as const;
const FIELDS = [...Object.keys(LONGEST_TEXTS), ...TIMES, "scopes"];
const ABSENT = Object.fromEntries(FIELDS.map((name) => [name, null]));

type Fields = Readonly<Record<string, unknown>>;

/** Reads a line, without its line feed. `null` stands for a field that is absent. */
export function readImportLine(bytes: Uint8Array): ImportLine | InvalidLine {
  const text = utf8Text(bytes);
  if (text === null) return { problem: "The line is not valid UTF-8." };
  if (text.startsWith(BYTE_ORDER_MARK)) return { problem: "The line begins with a byte order mark: remove it." };
  if (text.trim() === "") return { problem: "The line is empty." };
  const given = parseObject(text);
  if (given === null) return { problem: "The line is not a JSON object." };
  const fields = { ...ABSENT, ...given };
  const times = TIMES.map((name) => [name, timeOf(fields[name])] as const);
  const line = { ...fields, ...Object.fromEntries(times) } as unknown as ImportLine;
  const problem = fieldProblem(fields, times) ?? tokenProblem(line);
  return problem === null ? line : { problem };
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? (value as Fields | null) : null;
  } catch {
    return null;
  }
}

/** undefined for a value that is no time. */
function timeOf(value: unknown): Date | null | undefined {
  if (value === null) return null;
  return (typeof value === "string" ? parseDateTime(value) : null) ?? undefined;
}

function fieldProblem(fields: Fields, times: readonly (readonly [name: string, time: unknown])[]): string | null {
  if (Object.keys(fields).length > FIELDS.length)
    return `The line has a field that does not exist. The fields are ${FIELDS.join(", ")}.`;
  for (const [name, maxLength] of Object.entries(LONGEST_TEXTS)) {
    const value = fields[name];
    if (value === null && REQUIRED.includes(name)) return `\`${name}\` is missing.`;
    if (value !== null && typeof value !== "string") return `\`${name}\` must be a string.`;
    const refusal = value === null ? null : checkText(value, name, { maxLength });
    if (refusal !== null) return refusal.message;
  }
  if (!SOCIAL_PROVIDERS.some((provider) => provider === fields["provider"]))
    return `\`provider\` must be one of ${SOCIAL_PROVIDERS.join(", ")}.`;
  const wrongTime = times.find(([, time]) => time === undefined);
  if (wrongTime !== undefined) return `\`${wrongTime[0]}\` must be a time such as 2027-01-31T12:00:00Z.`;
  return isScopes(fields["scopes"]) ? null : `\`scopes\` must be a list of up to ${MOST_SCOPES} names of scopes.`;
}

const isScopes = (value: unknown) =>
  value === null ||
  (Array.isArray(value) &&
    value.length <= MOST_SCOPES &&
    value.every((one) => typeof one === "string" && checkText(one, "scopes", { maxLength: 256 }) === null));

/**
 * The token that renews the grant has to be there: it is what the grant is worth, and where the provider has refresh tokens,
 * only their use proves that the grant is the registration's.
 */
function tokenProblem({ provider, accessToken, refreshToken }: ImportLine): string | null {
  const { renewsWith } = PROVIDER_TRAITS[provider];
  if (renewsWith === "refresh-token") return refreshToken === null ? "`refreshToken` is missing." : null;
  if (refreshToken !== null) return `${provider} has no refresh tokens: leave \`refreshToken\` out.`;
  return accessToken === null ? "`accessToken` is missing." : null;
}

/**
 * Names the connection that a line asks for. Where the account is not known, another
 * token is another account.
 */
function importKey(line: ImportLine): string {
  const { client, provider, tenantKey, externalSubjectId, accountId, accessToken, refreshToken } = line;
  const account = accountId === null ? { token: refreshToken ?? accessToken } : { accountId };
  return JSON.stringify([client, provider, tenantKey, externalSubjectId, account]);
}

/**
 * What no other line of a file may have: the connection, and a token that its use replaces. Sent twice, the provider would take it
 * for stolen and end the grant of both lines.
 */
export function uniqueKeys(line: ImportLine): readonly string[] {
  const { rotatesRefreshToken } = PROVIDER_TRAITS[line.provider];
  return [importKey(line), ...(rotatesRefreshToken ? [JSON.stringify([line.provider, line.refreshToken])] : [])];
}

/** Names the consent of a line, so that a resumed import recognizes it: everything but times. */
export function consentKey(line: ImportLine): string {
  return JSON.stringify([importKey(line), line.accessToken, line.refreshToken]);
}
