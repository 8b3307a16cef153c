import { ACCOUNT_SCRIPTS, type AccountScript, always } from "@social-connect/provider-fixtures";
import { type ProviderKey, providersOf } from "../shared/providerKeys.ts";

/** The behavior of a scripted account, which has the script's name. */
export interface Script extends Omit<AccountScript, "providers" | "texts"> {
  readonly name: string;
  readonly providers: readonly ProviderKey[];
  /** `named`: every post contains the account's name, so that tests can search for leaked data. */
  readonly texts?: NonNullable<AccountScript["texts"]> | "named";
}

function unreadable(form: "cut" | "other-shape" | "huge" | "stalled", summary: string): AccountScript {
  return { onContentCall: always({ kind: "body", form }), summary };
}

/** Scripts that differ from others only in the bytes of a response. */
const RESPONSE_SCRIPTS: Readonly<Record<string, AccountScript>> = {
  "array-profile": {
    providers: ["PROVIDER_C"],
    responseForm: "array-profile",
    summary: "The profile is returned inside a data array.",
  },
  "cut-body": unreadable("cut", "The responses of content calls are truncated."),
  "other-shape": unreadable("other-shape", "Content calls return JSON of an unexpected shape."),
  "huge-body": unreadable("huge", "Content calls return 64 MiB."),
  "stalled-body": unreadable("stalled", "Content calls stall after a few bytes."),
};

export const SCRIPTS: readonly Script[] = Object.entries<AccountScript>({
  ...ACCOUNT_SCRIPTS,
  ...RESPONSE_SCRIPTS,
}).map(([name, script]) => ({ ...script, name, providers: providersOf(script) }));
