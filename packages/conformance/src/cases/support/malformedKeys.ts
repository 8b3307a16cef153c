export interface KeyParts {
  /** `scadm_` of an admin's key, nothing of an application's. */
  readonly start: string;
  readonly id: string;
  readonly secret: string;
}

/** Headers that resemble the valid format, made from a valid key; all are invalid. */
export const MALFORMED_KEYS: Readonly<Record<string, (parts: KeyParts) => string>> = {
  "no-scheme": ({ start, id, secret }) => `${start}${id}.${secret}`,
  "lower-case-scheme": ({ start, id, secret }) => `bearer ${start}${id}.${secret}`,
  "upper-case-scheme": ({ start, id, secret }) => `BEARER ${start}${id}.${secret}`,
  "basic-scheme": ({ start, id, secret }) => `Basic ${Buffer.from(`${start}${id}:${secret}`).toString("base64")}`,
  "two-spaces": ({ start, id, secret }) => `Bearer  ${start}${id}.${secret}`,
  tab: ({ start, id, secret }) => `Bearer\t${start}${id}.${secret}`,
  "no-space": ({ start, id, secret }) => `Bearer${start}${id}.${secret}`,
  "no-dot": ({ start, id, secret }) => `Bearer ${start}${id}${secret}`,
  colon: ({ start, id, secret }) => `Bearer ${start}${id}:${secret}`,
  "two-dots": ({ start, id, secret }) => `Bearer ${start}${id}..${secret}`,
  "no-secret": ({ start, id }) => `Bearer ${start}${id}.`,
  "id-alone": ({ start, id }) => `Bearer ${start}${id}`,
  "no-id": ({ start, secret }) => `Bearer ${start}.${secret}`,
  "secret-alone": ({ secret }) => `Bearer ${secret}`,
  "secret-63": ({ start, id, secret }) => `Bearer ${start}${id}.${secret.slice(1)}`,
  "secret-65": ({ start, id, secret }) => `Bearer ${start}${id}.${secret}0`,
  "secret-not-hex": ({ start, id, secret }) => `Bearer ${start}${id}.${secret.slice(1)}g`,
  "id-without-dashes": ({ start, id, secret }) => `Bearer ${start}${id.replaceAll("-", "")}.${secret}`,
  "id-in-braces": ({ start, id, secret }) => `Bearer ${start}{${id}}.${secret}`,
  "id-too-long": ({ start, id, secret }) => `Bearer ${start}${id}0.${secret}`,
  "admin-prefix": ({ start, id, secret }) => `Bearer scadm_${start}${id}.${secret}`,
  "comma-separated": ({ start, id, secret }) => `Bearer ${start}${id}.${secret}, Bearer ${start}${id}.${secret}`,
  quoted: ({ start, id, secret }) => `Bearer "${start}${id}.${secret}"`,
  "scheme-only": () => "Bearer",
  empty: () => "",
  "percent-encoded": ({ start, id, secret }) => `Bearer ${start}${id}%2E${secret}`,
  "very-long": ({ start, id, secret }) => `Bearer ${start}${id}.${secret}${"0".repeat(4_000)}`,
};
