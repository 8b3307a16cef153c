import type { ApiKey } from "../_generated/adminWire.ts";
import { allOf } from "../wire/call.ts";
import { callInPanel, refusalOf, runInPanel } from "./adminScript.ts";
import { openPanelOverHttp, type PanelAddress } from "./panelOverHttp.ts";
import type { AdminDriver } from "./target.ts";

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
/** The longest lifetime of a key. */
const SANDBOX_DAYS = 90;
const LIVE_DAYS = 30;

/**
 * The admin API and panel over HTTP, with keys valid for the run: those in the target file if they are, otherwise new
 * keys.
 */
export async function openAdmin(address: AdminAddress) {
  const panel = await openPanelOverHttp(address, address.person);
  if (panel === null) throw new Error(`The panel rejects ${address.person}.`);
  const minted: string[] = [];
  const all = () => allOf<ApiKey>((after) => runInPanel(panel, "apiKeys", { first: 100, after }));
  const revoke = (id: string) => runInPanel(panel, "revokeApiKey", { id });

  const mint = async (scope: string, lifetimeDays = SANDBOX_DAYS): Promise<string> => {
    const outcome = await callInPanel(panel, "mintApiKey", { label: LABEL, scope, lifetimeDays });
    if (outcome.ok) {
      minted.push(outcome.value.apiKey.id);
      return outcome.value.key;
    }
    if (outcome.code === "InvalidInputError" && lifetimeDays !== LIVE_DAYS) return mint(scope, LIVE_DAYS);
    if (outcome.reason !== "KEY_LIMIT") throw refusalOf("mintApiKey", outcome);
    await revokeLeftBehind();
    return mint(scope, lifetimeDays);
  };

  /** Keys of an aborted run. */
  const revokeLeftBehind = async () => {
    const left = (await all()).filter((key) => key.label.startsWith("conformance") && key.revokedAt === null);
    const own = left.filter((key) => key.createdBy === panel.email && !minted.includes(key.id));
    if (own.length === 0) throw new Error("The admin has the maximum number of keys: revoke one in the panel.");
    for (const { id } of own) await revoke(id);
  };

  const lasting = async (scope: "READ" | "WRITE", key: string): Promise<string> => {
    const endsAfterMs = (await address.now()).getTime() + NEEDED_MS;
    const known = (await all()).find((one) => one.id === adminKeyId(key));
    const isLasting = known?.revokedAt === null && Date.parse(known.expiresAt) > endsAfterMs;
    return isLasting ? key : mint(scope);
  };

  const driver: AdminDriver = {
    adminHost: address.adminHost,
    readKey: await lasting("READ", address.readKey),
    writeKey: await lasting("WRITE", address.writeKey),
    panel,
    signIn: (person) => openPanelOverHttp(address, person),
  };
  return { driver, close: async () => void (await Promise.all(minted.splice(0).map(revoke))) };
}

/** `scadm_<key-id>.<secret>` */
function adminKeyId(key: string): string {
  return key.slice(key.indexOf("_") + 1, key.indexOf("."));
}
