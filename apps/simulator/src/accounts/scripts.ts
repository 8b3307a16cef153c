import type { AccountScript } from "@social-connect/provider-fixtures";
import { ACCOUNT_SCRIPTS, always } from "@social-connect/provider-fixtures";
import type { ProviderKey } from "../shared/providerKeys.ts";
import { providersOf } from "../shared/providerKeys.ts";

/** The behavior of a scripted account, which has the script's name. */
export interface Script extends Omit<AccountScript, "providers" | "texts"> {
  readonly name: string;
  readonly providers: readonly ProviderKey[];
  /** `named`: every post contains the account's name, so that tests can search for leaked data. */
  readonly texts?: NonNullable<AccountScript["texts"]> | "named";
}

/** Scripts that differ from others only in the bytes of a response. */
const RESPONSE_SCRIPTS: Readonly<Record<string, AccountScript>> = {
  "array-profile": {
    providers: ["PROVIDER_C"],
    responseForm: "array-profile",
    summary: "The profile is returned inside a data array.",
  },
  "cut-body": {
    onContentCall: always({ kind: "body", form: "cut" }),
    summary: "The responses of content calls are truncated.",
  },
  "other-shape": {
    onContentCall: always({ kind: "body", form: "other-shape" }),
    summary: "Content calls return JSON of an unexpected shape.",
  },
  "huge-body": {
    onContentCall: always({ kind: "body", form: "huge" }),
    summary: "Content calls return 64 MiB.",
  },
  "stalled-body": {
    onContentCall: always({ kind: "body", form: "stalled" }),
    summary: "Content calls stall after a few bytes.",
  },
};

export const SCRIPTS: readonly Script[] = Object.entries<AccountScript>({
  ...ACCOUNT_SCRIPTS,
  ...RESPONSE_SCRIPTS,
}).map(([name, script]) => ({ ...script, name, providers: providersOf(script) }));
