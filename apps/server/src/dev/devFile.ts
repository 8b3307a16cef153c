import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { adminKeyText, applicationKeyText } from "@social-connect/domain";
import { z } from "zod";
import { isAbandoned } from "../platform/process/folderLock.ts";
import { readIfPresent, writeOwnerFile } from "../platform/process/ownerFile.ts";
import type { DevAddresses } from "./addresses.ts";
import type { DevSecrets } from "./devSecrets.ts";
import type { ChildRole } from "./processes/processSupervisor.ts";
import { ADMIN_EMAIL, DEMO_APPLICATION, OTHER_APPLICATION } from "./seedData.ts";

/** What programs need to know of a running development environment; the content of `dev.json` in its data folder. */
export type DevFile = ReturnType<typeof describeDevSetup>;

export interface DevFileParts {
  readonly addresses: DevAddresses;
  readonly secrets: DevSecrets;
  readonly databaseUrl: string;
  readonly hasMovableClock: boolean;
  /** Signs the events of the first client; null: nobody receives them. */
  readonly eventSecret: string | null;
  /** Process ids by role; null while a process restarts. */
  readonly processes: Readonly<Record<ChildRole | "database", number | null>>;
}

export function describeDevSetup({ addresses, secrets, ...parts }: DevFileParts) {
  const consumer: ReadDevFile["consumer"] = {
    baseUrl: addresses.server,
    key: applicationKeyText(secrets.applicationKey),
    slug: DEMO_APPLICATION.slug,
    tenantKeys: [...DEMO_APPLICATION.tenantKeys],
    returnUrl: addresses.example + DEMO_APPLICATION.returnPath,
    identityReturnUrl: addresses.example + DEMO_APPLICATION.identityReturnPath,
    ...(parts.eventSecret !== null && { eventSecret: parts.eventSecret }),
  };
  return {
    consumer,
    otherApplication: {
      key: applicationKeyText(secrets.otherApplicationKey),
      tenantKey: OTHER_APPLICATION.tenantKeys[0],
      returnUrl: addresses.otherApplication + OTHER_APPLICATION.returnPath,
    },
    connectHost: addresses.server,
    admin: {
      host: addresses.server,
      panelUrl: `${addresses.server}/panel`,
      email: ADMIN_EMAIL,
      readKey: adminKeyText(secrets.readKey),
      writeKey: adminKeyText(secrets.writeKey),
    },
    simulatorUrl: addresses.simulator,
    providerUrls: addresses.providers,
    issuerUrl: addresses.issuer,
    exampleUrl: addresses.example,
    databaseUrl: parts.databaseUrl,
    clockUrl: parts.hasMovableClock ? addresses.clock : null,
    pid: process.pid,
    processes: parts.processes,
  };
}

export function devFilePath(dataFolder: string): string {
  return join(dataFolder, "dev.json");
}

/** What the commands for an integrator's own application read. */
const clientParts = z.object({
  consumer: z.object({
    baseUrl: z.url(),
    key: z.string(),
    slug: z.string(),
    tenantKeys: z.array(z.string()),
    returnUrl: z.url(),
    identityReturnUrl: z.url(),
    eventSecret: z.string().optional(),
  }),
  databaseUrl: z.url(),
  pid: z.int().positive(),
});

export type ReadDevFile = z.infer<typeof clientParts>;

/** What a data folder has: null without an environment, `"ended"` for a killed supervisor, which leaves its file. */
export async function readDevFile(file: string): Promise<ReadDevFile | "ended" | null> {
  const text = await readIfPresent(file);
  if (text === null) return null;
  const content = parse(file, text);
  // The system may have given its process id to another process.
  return isRunning(content.pid) && !(await isAbandoned(dirname(file))) ? content : "ended";
}

function parse(file: string, text: string): ReadDevFile {
  try {
    return clientParts.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is invalid; restart \`social-connect dev\`, which writes it again`, { cause });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export async function writeDevFile(dataFolder: string, content: DevFile): Promise<void> {
  await writeOwnerFile(devFilePath(dataFolder), `${JSON.stringify(content, null, 2)}\n`);
}

export async function removeDevFile(dataFolder: string): Promise<void> {
  await rm(devFilePath(dataFolder), { force: true });
}
