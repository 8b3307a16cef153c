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
  const file = await readTargetFile(path);
  const { consumer } = file;
  const [first, ...others] = consumer.tenantKeys;
  if (first === undefined) throw new Error(`${path} names no tenant key of the application`);
  const application: Application = {
    baseUrl: consumer.baseUrl,
    key: consumer.key,
    tenantKeys: [first, ...others],
    returnUrl: consumer.returnUrl,
    identityReturnUrl: consumer.identityReturnUrl,
    webOrigin: new URL(consumer.returnUrl).origin,
  };
  const clock = file.clockUrl ? openClockControl(file.clockUrl) : undefined;
  const identity = file.issuerUrl && file.simulatorUrl ? openIssuer(file.issuerUrl, file.simulatorUrl) : undefined;
  const admin = await openAdminOf(file, identity, clock);
  const storage = file.databaseUrl ? await openStorage(file.databaseUrl) : undefined;
  const forgetClient = storage?.driver.forgetClient;
  const operator = admin && openOperator({ admin: admin.driver, baseUrl: consumer.baseUrl, forgetClient });
  return {
    name: path,
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
    rawSocket: new URL(consumer.baseUrl).protocol === "http:",
    close: async () => {
      await admin?.close();
      await storage?.close();
    },
  };
}

/** Throws for a file that a development environment which has ended left, or has removed. */
export async function readTargetFile(path: string): Promise<TargetFile> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error(`${path} does not exist. ${IN_DEVELOPMENT}`) : error;
  });
  let file: TargetFile & { readonly pid?: unknown };
  try {
    file = JSON.parse(text);
  } catch {
    // The parser's message repeats a part of the text, which has keys.
    throw new Error(`${path} is not JSON. ${IN_DEVELOPMENT}`);
  }
  if (typeof file.pid === "number" && !isRunning(file.pid))
    throw new Error(`The development environment of ${path} does not run any more. ${IN_DEVELOPMENT}`);
  return file;
}

const IN_DEVELOPMENT =
  "A development environment writes its dev.json when it runs: start it with `social-connect dev`.";

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Admins sign in to the panel at the issuer, so without one there is no admin driver. */
async function openAdminOf({ admin }: TargetFile, identity?: IdentityDriver, clock?: ClockDriver) {
  if (!admin || identity === undefined) return undefined;
  const { host, email, readKey, writeKey } = admin;
  const person = email.slice(0, email.indexOf("@"));
  const now = async () => (await clock?.now()) ?? new Date();
  return openAdmin({ adminHost: host, identity, person, readKey, writeKey, now });
}
