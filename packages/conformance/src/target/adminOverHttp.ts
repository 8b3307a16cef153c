import type { ApiKey } from "../_generated/adminWire.ts";
import { allOf } from "../wire/call.ts";
import type { AdminDriver, PanelDriver } from "./adminDriver.ts";
import { AdminRefusal, runInPanel } from "./adminScript.ts";
import { openPanelOverHttp, type PanelAddress } from "./panelOverHttp.ts";

export interface AdminAddress extends PanelAddress {
  /** The admin who owns the keys, by the issuer's name. */
  readonly person: string;
  readonly readKey: string;
  readonly writeKey: string;
  readonly now: () => Promise<Date>;
}

const LABEL = "conformance run";
const DAY_MS = 86_400_000;
/** A run moves the clock by a month, and some days more. */
const NEEDED_MS = 40 * DAY_MS;
/** The longest lifetimes of a sandbox and of a live deployment. */
const LIFETIMES_DAYS = [90, 30] as const;

/**
 * The admin API and panel over HTTP, with keys valid for the run: those in the target file if they are, otherwise new
 * keys.
 */
export async function openAdmin(
  address: AdminAddress,
): Promise<{ readonly driver: AdminDriver; close(): Promise<void> }> {
  const panel = await openPanelOverHttp(address, address.person);
  if (panel === null) throw new Error(`The panel rejects ${address.person} in.`);
  const keys = new LastingKeys(panel, address);
  const driver: AdminDriver = {
    adminHost: address.adminHost,
    readKey: await keys.lasting("READ", address.readKey),
    writeKey: await keys.lasting("WRITE", address.writeKey),
    panel,
    signIn: (person) => openPanelOverHttp(address, person),
  };
  return { driver, close: () => keys.revokeMinted() };
}

class LastingKeys {
  readonly #panel: PanelDriver;
  readonly #now: () => Promise<Date>;
  readonly #minted: string[] = [];

  constructor(panel: PanelDriver, { now }: Pick<AdminAddress, "now">) {
    this.#panel = panel;
    this.#now = now;
  }

  async lasting(scope: "READ" | "WRITE", key: string): Promise<string> {
    const endsAfterMs = (await this.#now()).getTime() + NEEDED_MS;
    const known = (await this.#all()).find((one) => one.id === adminKeyId(key));
    if (known && known.revokedAt === null && Date.parse(known.expiresAt) > endsAfterMs) return key;
    return this.#mint(scope);
  }

  async #mint(scope: string): Promise<string> {
    for (const lifetimeDays of LIFETIMES_DAYS) {
      try {
        const { apiKey, key } = await runInPanel(this.#panel, "mintApiKey", { label: LABEL, scope, lifetimeDays });
        this.#minted.push(apiKey.id);
        return key;
      } catch (error) {
        if (!(error instanceof AdminRefusal)) throw error;
        if (error.reason === "KEY_LIMIT") await this.#revokeLeftBehind();
        else if (error.code !== "InvalidInputError") throw error;
      }
    }
    return this.#mint(scope);
  }

  /** Keys of an aborted run. */
  async #revokeLeftBehind(): Promise<void> {
    const left = (await this.#all()).filter((key) => key.label.startsWith("conformance") && key.revokedAt === null);
    const own = left.filter((key) => key.createdBy === this.#panel.email && !this.#minted.includes(key.id));
    if (own.length === 0) throw new Error("The admin has the maximum number of keys: revoke one in the panel.");
    for (const { id } of own) await runInPanel(this.#panel, "revokeApiKey", { id });
  }

  async revokeMinted(): Promise<void> {
    for (const id of this.#minted.splice(0)) await runInPanel(this.#panel, "revokeApiKey", { id });
  }

  #all(): Promise<ApiKey[]> {
    return allOf((after) => runInPanel(this.#panel, "apiKeys", { first: 100, after }));
  }
}

/** `scadm_<key-id>.<secret>` */
export function adminKeyId(key: string): string {
  return key.slice(key.indexOf("_") + 1, key.indexOf("."));
}
