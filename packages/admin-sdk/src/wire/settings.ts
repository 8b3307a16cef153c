import {
  ADMIN_KEY,
  type ClientSettings,
  ConfigurationError,
  type KeySource,
  type RequestSettings,
  readClientSettings,
} from "@social-connect/sdk-core";
import type { Hooks } from "../_generated/hooks.ts";
import type { OperationName } from "../_generated/operations.ts";
import { CLIENT } from "../_generated/version.ts";

/** The scope of a key: READ, or READ and WRITE of clients. */
export type AdminScope = "READ" | "WRITE";

/** Options of `createAdmin`. */
export interface AdminOptions<Scope extends AdminScope = AdminScope> extends RequestSettings {
  /** The URL of the admin host, for example `https://admin.example.com`. `/api/admin/graphql` is appended. */
  readonly host: string;
  /** An admin key; a function is called before each request, so that a key can be replaced at run time. */
  readonly key: KeySource;
  /** The scope of the key, which determines the available methods. */
  readonly scope: Scope;
  /** For logs, metrics and traces. */
  readonly hooks?: Hooks | undefined;
}

export interface Settings extends ClientSettings<OperationName> {
  /** Sends to the path of event endpoints, which are not in the schema. */
  readonly sendEventEndpoints: ClientSettings<OperationName>["send"];
}

export function readSettings(options: AdminOptions): Settings {
  const read = (path: string) => readClientSettings(options, { ...KIND, path });
  const settings = read("/api/admin/graphql");
  if (options.scope !== "READ" && options.scope !== "WRITE") {
    throw new ConfigurationError("scope must be READ or WRITE: the scope that the key was minted with.");
  }
  return { ...settings, sendEventEndpoints: read("/api/admin/event-endpoints").send };
}

const KIND = {
  addressOption: "host",
  client: CLIENT,
  otherOptions: ["scope"],
  keyShape: { ...ADMIN_KEY, name: "key" },
  missing: "createAdmin needs its options: an object with host, key and scope.",
} as const;
