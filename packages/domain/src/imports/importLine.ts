import { LIMITS, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { checkSubjectScope, type SubjectScope } from "../applications/scope.ts";
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

const STRINGS: Readonly<Record<string, { readonly isRequired?: true; readonly maxLength: number }>> = {
  provider: { isRequired: true, maxLength: 64 },
  client: { isRequired: true, maxLength: 64 },
  tenantKey: { isRequired: true, maxLength: LIMITS.scopeStringMaxLength },
  externalSubjectId: { isRequired: true, maxLength: LIMITS.scopeStringMaxLength },
  accountId: { maxLength: 256 },
  accessToken: { maxLength: MOST_TOKEN_CHARACTERS },
  refreshToken: { maxLength: MOST_TOKEN_CHARACTERS },
};
const TIMES = ["accessTokenExpiresAt", "refreshTokenExpiresAt", "connectedAt"] as const;
const FIELDS: readonly string[] = [...Object.keys(STRINGS), ...TIMES, "scopes"];

/** Reads a line, without its line feed. `null` stands for a field that is absent. */
export function readImportLine(bytes: Uint8Array): ImportLine | InvalidLine {
  const text = utf8Text(bytes);
  if (text === null) return { problem: "The line is not valid UTF-8." };
  if (text.startsWith(BYTE_ORDER_MARK)) return { problem: "The line begins with a byte order mark: remove it." };
  if (text.trim() === "") return { problem: "The line is empty." };
  const fields = parseObject(text);
  if (fields === null) return { problem: "The line is not a JSON object." };
  const problem = fieldProblem(fields);
  if (problem !== null) return { problem };
  const textOf = (name: string) => (fields[name] ?? null) as string | null;
  const timeOf = (name: (typeof TIMES)[number]) => (textOf(name) === null ? null : parseDateTime(textOf(name) ?? ""));
  const line: ImportLine = {
    provider: textOf("provider") as SocialProvider,
    client: textOf("client") ?? "",
    tenantKey: textOf("tenantKey") ?? "",
    externalSubjectId: textOf("externalSubjectId") ?? "",
    accountId: textOf("accountId"),
    accessToken: textOf("accessToken"),
    accessTokenExpiresAt: timeOf("accessTokenExpiresAt"),
    refreshToken: textOf("refreshToken"),
    refreshTokenExpiresAt: timeOf("refreshTokenExpiresAt"),
    scopes: (fields["scopes"] ?? null) as string[] | null,
    connectedAt: timeOf("connectedAt"),
  };
  const refusal = checkSubjectScope(line)?.message ?? tokenProblem(line);
  return refusal === null ? line : { problem: refusal };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function fieldProblem(fields: Readonly<Record<string, unknown>>): string | null {
  if (Object.keys(fields).some((name) => !FIELDS.includes(name)))
    return `The line has a field that does not exist. The fields are ${FIELDS.join(", ")}.`;
  for (const [name, { isRequired, maxLength }] of Object.entries(STRINGS)) {
    const value = fields[name] ?? null;
    if (value === null && isRequired) return `\`${name}\` is missing.`;
    if (value !== null && typeof value !== "string") return `\`${name}\` must be a string.`;
    const refusal = value === null ? null : checkText(value, name, { maxLength });
    if (refusal !== null) return refusal.message;
  }
  if (!SOCIAL_PROVIDERS.some((provider) => provider === fields["provider"]))
    return `\`provider\` must be one of ${SOCIAL_PROVIDERS.join(", ")}.`;
  const wrongTime = TIMES.find((name) => !isTime(fields[name] ?? null));
  if (wrongTime !== undefined) return `\`${wrongTime}\` must be a time such as 2027-01-31T12:00:00Z.`;
  return isScopes(fields["scopes"] ?? null)
    ? null
    : `\`scopes\` must be a list of up to ${MOST_SCOPES} names of scopes.`;
}

const isTime = (value: unknown) => value === null || (typeof value === "string" && parseDateTime(value) !== null);

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
