import { readFile } from "node:fs/promises";
import { openOperator } from "./adminOperator.ts";
import { openAdmin } from "./adminOverHttp.ts";
import { runInPanel } from "./adminScript.ts";
import { openEvents } from "./eventsInPanel.ts";
import { openClockControl, openIssuer, openSimulator } from "./simulator.ts";
import { openStorage } from "./storageDatabase.ts";
import type { Application, ClockDriver, IdentityDriver, Target } from "./target.ts";

/** What the suite reads of a target file; a development environment writes more into its `dev.json`. */
export interface TargetFile {
  readonly consumer: {
    readonly baseUrl: string;
    readonly key: string;
    readonly tenantKeys: readonly string[];
    readonly returnUrl: string;
    readonly identityReturnUrl: string;
  };
  readonly connectHost: string;
  readonly admin?: {
    readonly host: string;
    /** The email address of the admin who owns the keys; the part before the `@` is the issuer's user name. */
    readonly email: string;
    readonly readKey: string;
    readonly writeKey: string;
  } | null;
  readonly simulatorUrl?: string | null;
  readonly issuerUrl?: string | null;
  readonly databaseUrl?: string | null;
  readonly clockUrl?: string | null;
}

/** A target from its description. A missing property is a missing driver. */
export async function openTargetFile(path: string): Promise<Target> {
  const gone = () => Promise.reject(new Error(`${path} is of no service that runs: start \`social-connect dev\``));
  const file = await readFile(path, "utf8").then(runningTarget).catch(gone);
  const [first, ...others] = file.consumer.tenantKeys;
  if (first === undefined) throw new Error(`${path} names no tenant key of the application`);
  const webOrigin = new URL(file.consumer.returnUrl).origin;
  const application: Application = { ...file.consumer, tenantKeys: [first, ...others], webOrigin };
  const clock = file.clockUrl ? openClockControl(file.clockUrl) : undefined;
  const identity = file.issuerUrl && file.simulatorUrl ? openIssuer(file.issuerUrl, file.simulatorUrl) : undefined;
  const admin = await openAdminOf(file, identity, clock);
  const storage = file.databaseUrl ? await openStorage(file.databaseUrl) : undefined;
  const forgetClient = storage?.driver.forgetClient;
  const operator = admin && openOperator({ admin: admin.driver, baseUrl: application.baseUrl, forgetClient });
  return {
    application,
    connectHost: file.connectHost,
    clock,
    provider: file.simulatorUrl ? openSimulator(file.simulatorUrl) : undefined,
    identity,
    operator,
    admin: admin?.driver,
    storage: storage?.driver,
    events: admin && openEvents(admin.driver.panel),
    previewTemplate: admin && (await runInPanel(admin.driver.panel, "previewTemplate", {})).template,
    rawSocket: new URL(application.baseUrl).protocol === "http:",
    close: async () => {
      await admin?.close();
      await storage?.close();
    },
  };
}

function runningTarget(text: string): TargetFile {
  const file: TargetFile & { readonly pid?: number } = JSON.parse(text);
  if (file.pid !== undefined) process.kill(file.pid, 0); // A killed environment leaves its file.
  return file;
}

/** Admins sign in to the panel at the issuer, so without one there is no admin driver. */
async function openAdminOf({ admin }: TargetFile, identity?: IdentityDriver, clock?: ClockDriver) {
  if (!admin || identity === undefined) return undefined;
  const { host, email, readKey, writeKey } = admin;
  const person = email.slice(0, email.indexOf("@"));
  const now = async () => (await clock?.now()) ?? new Date();
  return openAdmin({ adminHost: host, identity, person, readKey, writeKey, now });
}
