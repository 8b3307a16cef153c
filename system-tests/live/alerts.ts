import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ProviderKey } from "../../apps/simulator/src/index.ts";
import { SERVICE_COMMAND, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { control, eventually, mountDisk, runStatement, type SmallDisk } from "../../packages/testkit/src/index.ts";
import { whileRepeating } from "../actors/whileRepeating.ts";
import { freePort } from "../proxies/proxies.ts";
import type { Application, LinkedAccount } from "./application.ts";
import type { Deployment } from "./deployment.ts";
import type { Machine } from "./machine.ts";
import type { Pages } from "./pages.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";

interface Given {
  readonly machine: Machine;
  readonly deployment: Deployment;
  readonly application: Application;
  readonly accounts: readonly [LinkedAccount, LinkedAccount, LinkedAccount];
  /** The disk of PostgreSQL's folder. */
  readonly databaseDisk: SmallDisk;
}
/** What the conditions of alerts are made with. */
type Scene = Awaited<ReturnType<typeof prepareScene>>;

/** Ends the condition. */
type Undo = () => Promise<unknown>;

interface AlertStep {
  readonly condition: string;
  readonly alerts: readonly string[];
  readonly make?: (scene: Scene) => Promise<Undo>;
  readonly runbook: string;
  /** A command of the runbook. */
  readonly command: string;
  /** In what it prints. */
  readonly cause: RegExp;
  /** Repeated until the alerts fire. */
  readonly repeat?: (scene: Scene) => Promise<unknown>;
}

const MANY = 100_000;
const END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'social_connect_runtime'";
/** A condition of the database, and its end. */
const change =
  (made: string, undone: string) =>
  async ({ sql }: Scene): Promise<Undo> => {
    await sql(made);
    return () => sql(undone);
  };

/** By their condition, which is made by `make` or by `repeat` alone. */
const STEPS: Readonly<Record<string, Omit<AlertStep, "condition">>> = {
  "an api process has ended, and another program listens at its port": {
    alerts: ["SocialConnectProcessDown"],
    make: async ({ deployment, machine }) => {
      await deployment.stopAt(machine.apis[1]);
      const other = createServer((_, response) => response.end("another program")).listen(machine.apis[1], "127.0.0.1");
      await once(other, "listening");
      return async () => {
        other.closeAllConnections();
        await new Promise((resolve) => other.close(resolve));
        await deployment.start("api");
      };
    },
    runbook: "process-down",
    command: "PORT=4401 social-connect doctor",
    cause: /^failed +ports .*another program/m,
  },
  "the database is read-only for the role of the service": {
    alerts: ["SocialConnectNotReady"],
    make: change(
      `ALTER ROLE social_connect_runtime SET default_transaction_read_only = on; COMMIT; ${END_SESSIONS}`,
      `ALTER ROLE social_connect_runtime RESET default_transaction_read_only; COMMIT; ${END_SESSIONS}`,
    ),
    runbook: "not-ready",
    command: "social-connect doctor",
    cause: /^failed +database .*default_transaction_read_only/m,
  },
  "a transaction locks the table of posts, while 40 callers read": {
    alerts: ["SocialConnectDatabaseSlow", "SocialConnectDatabaseConnectionsUsedUp", "SocialConnectCallsFail"],
    make: async ({ sql }) => {
      const locked = sql("BEGIN; LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(300)").catch(
        () => undefined,
      );
      return async () => {
        const locking = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK TABLE %'";
        await Promise.all([sql(locking), locked]);
      };
    },
    repeat: ({ application, accounts }) => application.try(40, () => application.read(accounts[0])),
    runbook: "slow-database",
    command: 'psql "$(cat administrator-url)" --command "SELECT pid',
    cause: /LOCK TABLE content_item/,
  },
  "every call to a provider gets 503": {
    alerts: ["SocialConnectProviderFails", "SocialConnectProviderPaused"],
    make: (scene) => fail(scene, "provider-b", { kind: "status", status: 503 }),
    repeat: (scene) => refreshNow(scene, scene.accounts[1], scene.another),
    runbook: "provider-outage",
    command: "social-connect jobs list --provider PROVIDER_B --status QUEUED --wait-reason PROVIDER_UNAVAILABLE",
    cause: /PROVIDER_UNAVAILABLE/,
  },
  "a provider blocks the application": {
    alerts: ["SocialConnectApplicationRefused"],
    make: (scene) => fail(scene, "provider-c", { kind: "application-blocked" }),
    repeat: (scene) => refreshNow(scene, scene.accounts[2]),
    runbook: "application-refused",
    command: 'grep "job waits for its next attempt" worker.log | tail --lines=3',
    cause: /"fault":"application_refused".*"reason":"[^"]*\b200\b/,
  },
  "the quota of a registration is lower than what was used": {
    alerts: ["SocialConnectQuotaUsedUp"],
    make: async ({ deployment, application, accounts }) => {
      const shown = JSON.parse(await deployment.terminal.run("social-connect quota show --json")) as readonly {
        readonly registrationId: string;
        readonly provider: string;
      }[];
      const id = shown.find(({ provider }) => provider === "PROVIDER_A")?.registrationId ?? "";
      await deployment.terminal.run(`social-connect quota set ${id} --units 1`);
      await application.try(1, () => application.requestRefresh(accounts[0]));
      return () => deployment.terminal.run(`social-connect quota set ${id}`);
    },
    runbook: "quota-used-up",
    command: "social-connect quota show",
    cause: /PROVIDER_A +PUBLISHED +1 /,
  },
  "the worker does not trust the private authority of the providers": {
    alerts: ["SocialConnectServiceFault"],
    make: async ({ deployment }) => {
      await deployment.replace("worker", "env -u NODE_EXTRA_CA_CERTS ");
      return () => deployment.replace("worker", "");
    },
    repeat: (scene) => refreshNow(scene, scene.accounts[0]),
    runbook: "service-fault",
    command: `grep --extended-regexp '"waitReason":"SERVICE_FAULT"|because of the service' api.log worker.log | tail --lines=3`,
    cause: /does not trust the certificate's authority/,
  },
  "a trigger of another program refuses the result of each job": {
    alerts: ["SocialConnectJobsError"],
    make: change(
      `CREATE FUNCTION refuse_result() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused by another program'; END $$;
       CREATE TRIGGER refuse_result BEFORE UPDATE ON job FOR EACH ROW
         WHEN (OLD.status = 'RUNNING' AND NEW.status <> 'RUNNING') EXECUTE FUNCTION refuse_result()`,
      "DROP FUNCTION refuse_result CASCADE",
    ),
    repeat: (scene) => refreshNow(scene, ...scene.accounts, scene.another),
    runbook: "stuck-queue",
    command: `grep '"level":"error"' worker.log | tail --lines=3`,
    cause: /refused by another program/,
  },
  "the role of the service may not read a table that a sweep of each minute reads": {
    alerts: ["SocialConnectSweepFails"],
    make: change(
      "REVOKE SELECT, UPDATE, DELETE ON revoke_settlement FROM social_connect_runtime",
      "GRANT SELECT, UPDATE, DELETE ON revoke_settlement TO social_connect_runtime",
    ),
    runbook: "late-sweep",
    command: "social-connect sweeps",
    cause: /^\w+ .* 42501 /,
  },
  "no worker has run, and time passes": {
    alerts: ["SocialConnectJobsStuck", "SocialConnectSweepLate", "SocialConnectDataTooOld"],
    make: async ({ deployment, sql, application, accounts }) => {
      await deployment.stop("worker");
      await application.try(1, () => application.requestRefresh(accounts[0]));
      await sql(`UPDATE job SET created_at = now() - interval '1 hour' WHERE status = 'QUEUED';
        UPDATE sweep_state SET succeeded_at = now() - interval '4 hours';
        CREATE TABLE observed AS SELECT id, profile_observed_at AS at FROM connection;
        UPDATE connection SET profile_observed_at = now() - interval '32 days'`);
      return async () => {
        await sql(`UPDATE connection SET profile_observed_at = at FROM observed WHERE connection.id = observed.id;
          DROP TABLE observed`);
        await deployment.start("worker");
      };
    },
    runbook: "late-sweep",
    command: "social-connect sweeps",
    cause: /^expireContent +no /m,
  },
  "calls with the id of a key and another secret": {
    alerts: ["SocialConnectKeysRefused"],
    repeat: ({ application }) => application.guessKey(20),
    runbook: "compromised-key",
    command: `grep --extended-regexp '"event":"[a-z_.]+(refused|foreign_browser|forged)"' api.log | tail --lines=5`,
    cause: /"reason":"wrong secret"/,
  },
  "messages of a provider without a valid signature": {
    alerts: ["SocialConnectBrowserAttack"],
    repeat: async ({ machine }) => {
      const body = new URLSearchParams({ signed_request: "forged.e30" });
      for (let sent = 0; sent < 10; sent += 1)
        await fetch(`${machine.urls.service}/api/connect/deauthorize/provider-c`, { method: "POST", body });
    },
    runbook: "compromised-key",
    command: `grep --extended-regexp '"event":"[a-z_.]+(refused|foreign_browser|forged)"' api.log | tail --lines=5`,
    cause: /"event":"deauthorization\.refused"/,
  },
  "a key expires in three days": {
    alerts: ["SocialConnectKeysExpire"],
    make: change(
      "UPDATE application_key SET expires_at = now() + interval '3 days' WHERE revoked_at IS NULL",
      "UPDATE application_key SET expires_at = NULL WHERE revoked_at IS NULL",
    ),
    runbook: "expiring-keys",
    command: "social-connect doctor",
    cause: /^warning +keys +expires within 7 days: .*shop/m,
  },
  "no host has the name of a client's endpoint for events": {
    alerts: ["SocialConnectEventEndpointFails"],
    make: async ({ deployment, sql }) => {
      await deployment.terminal.run(
        "social-connect client event-endpoint add --client shop --url https://receiver.invalid/",
      );
      await sql("UPDATE event_endpoint SET failing_since = now()");
      return () => sql("DELETE FROM event_endpoint");
    },
    runbook: "event-endpoint",
    command: "social-connect doctor",
    cause: /^warning +events .*shop at https:\/\/receiver\.invalid/m,
  },
  "an application repeatedly sends 1,000 concurrent calls": {
    alerts: ["SocialConnectApplicationNoisy"],
    repeat: ({ application }) => application.flood(1_000),
    runbook: "noisy-application",
    command: "social-connect keys list --application <client id>",
    cause: / application +shop /,
  },
  "a process is stopped for a second, again and again": {
    alerts: ["SocialConnectProcessBlocked"],
    make: async ({ deployment, machine }) => {
      const signal = (name: NodeJS.Signals) => deployment.signal(machine.apis[0], name);
      let isOver = false;
      const stopping = (async () => {
        while (!isOver) {
          signal("SIGSTOP");
          await setTimeout(1_200);
          signal("SIGCONT");
          await setTimeout(400);
        }
      })();
      return async () => {
        isOver = true;
        await stopping;
      };
    },
    runbook: "noisy-application",
    command: 'ps -eo pid,stat,pcpu,args | grep "[s]ocial-connect"',
    cause: /^ *\d+ T\S* .*social-connect/m,
  },
  "the disk of PostgreSQL is full": {
    alerts: ["SocialConnectDatabaseDiskFull"],
    make: async ({ sql, databaseDisk }) => {
      // Its log has room, so that it continues.
      await sql("CHECKPOINT");
      await sql("SELECT pg_switch_wal()");
      databaseDisk.fill();
      return async () => databaseDisk.extend(DATABASE_BYTES);
    },
    repeat: ({ application, accounts }) => application.try(20, () => application.beginConnect(accounts[0].provider)),
    runbook: "full-disk",
    command: "grep 53100 api.log worker.log | tail --lines=3",
    cause: /53100/,
  },
  "the disk of the api's log is full, and calls are answered": {
    alerts: ["SocialConnectOutputDropped"],
    make: async ({ logDisk }) => {
      logDisk.fill();
      return async () => logDisk.extend(LOG_BYTES);
    },
    repeat: async ({ application }) => {
      await application.flood(5);
      await application.client.readiness();
    },
    runbook: "dropped-output",
    command: "df --human-readable api.log",
    cause: / 100% /,
  },
  "the disk of the embedded database has less than a gigabyte": {
    alerts: ["SocialConnectDiskFull"],
    make: async ({ startTrial }) => {
      const program = await startTrial();
      return () => program.stop();
    },
    runbook: "full-disk",
    command: "df --human-readable",
    // The size of the trial's disk.
    cause: /^tmpfs +859M .*social-connect-disk-/,
  },
};

export const ALERT_STEPS = Object.entries(STEPS).map(([condition, step]): AlertStep => ({ condition, ...step }));

export const DATABASE_BYTES = 600_000_000;

/** Requests scans, and runs the jobs that wait for their next attempt. */
async function refreshNow({ application, deployment }: Scene, ...accounts: readonly LinkedAccount[]): Promise<void> {
  await application.try(1, () => Promise.all(accounts.map((each) => application.requestRefresh(each))));
  const listed = await deployment.terminal.run("social-connect jobs list --status QUEUED --json");
  for (const { id } of JSON.parse(listed) as readonly { readonly id: string }[])
    await deployment.terminal.run(`social-connect jobs retry ${id}`, { code: "any" });
}

/** Makes every call to a provider fail, until it is undone. */
async function fail({ machine }: Scene, provider: ProviderKey, fault: object): Promise<Undo> {
  const { simulatorUrl } = machine.simulator;
  await control(simulatorUrl, "POST", "/faults", { provider, fault, count: MANY });
  return () => control(simulatorUrl, "DELETE", "/faults");
}

/** The line that names the cause, once all alerts of a step fire. */
async function findCause(step: AlertStep, scene: Scene, prometheus: Prometheus, command: string): Promise<string> {
  const { alerts, cause, repeat } = step;
  const users = repeat === undefined ? [] : [() => repeat(scene)];
  const areFiring = (firing: readonly string[]) => alerts.every((alert) => firing.includes(alert));
  await whileRepeating(users, () => prometheus.until(areFiring));
  return eventually(async () => {
    const printed = await scene.deployment.terminal.run(command, { code: "any" });
    const line = printed.split("\n").find((each) => cause.test(each));
    if (line === undefined) throw new Error(`${command}\ndoes not name the cause ${cause}:\n${printed}`);
    return line.trim().slice(0, MOST_SHOWN);
  }, CAUSE_MS);
}

const MOST_SHOWN = 200;
const CAUSE_MS = 10_000;
const EMBEDDED_BYTES = 900_000_000;
const LOG_BYTES = 500_000_000;

/** Separate disks, a trial, and another account. */
async function prepareScene(given: Given, trialPort: number, shutdown: AsyncDisposableStack) {
  const { accounts, application, deployment } = given;
  const logDisk = shutdown.use(mountDisk(LOG_BYTES));
  const dataDisk = shutdown.use(mountDisk(EMBEDDED_BYTES));
  await deployment.stop("api", "worker");
  await deployment.terminal.run(`mv api.log ${logDisk.path} && ln -s ${logDisk.path}/api.log api.log`);
  deployment.block = "start-with-metrics";
  await deployment.start("api", "worker");
  /** Starts a process with the embedded database, whose data folder is on a disk of less than a gigabyte. */
  const startTrial = async () => {
    const environment = {
      DATA_DIR: join(dataDisk.path, "data"),
      PORT: String(await freePort()),
      EMBEDDED_DATABASE_PORT: String(await freePort()),
      METRICS_PORT: String(trialPort),
    };
    const command = [...SERVICE_COMMAND, "start"] as const;
    const program = shutdown.use(startProgram({ name: "a trial", command, environment }));
    await program.until(async () => (await fetch(`http://127.0.0.1:${trialPort}/readyz`)).ok);
    return program;
  };
  /** An account of the second provider. */
  const another = await application.link(accounts[1].provider, { choice: 1 });
  const url = await deployment.terminal.run("cat administrator-url");
  /** Runs statements as the administrator of the database. */
  const sql = (statements: string) => runStatement<{ id: string }>(url, statements);
  return { ...given, another, sql, logDisk, startTrial };
}

/**
 * Makes the condition of each alert, or of the named ones, until it fires, and runs the command of its runbook, which names the cause.
 * Gives what fails.
 */
export async function checkAlerts(
  { pages, ...given }: Given & { readonly pages: Pages },
  shutdown: AsyncDisposableStack,
  say: (line: string) => void,
  names: readonly string[],
): Promise<readonly string[]> {
  const unknown = names.filter((name) => !ALERT_STEPS.some(({ alerts }) => alerts.includes(name)));
  if (unknown.length > 0) throw new Error(`there is no alert ${unknown.join(", ")}`);
  const steps = ALERT_STEPS.filter(({ alerts }) => names.length === 0 || alerts.some((each) => names.includes(each)));
  const trialPort = await freePort();
  const scene = await prepareScene(given, trialPort, shutdown);
  const [client] = await scene.sql("SELECT id FROM application");
  pages.replacements.push(["<client id>", client?.id ?? ""]);
  const folder = join(scene.machine.folder, "prometheus");
  const prometheus = await startPrometheus(folder, pages, `127.0.0.1:${trialPort}`, shutdown);
  const problems: string[] = [];
  for (const step of steps) {
    const alerts = step.alerts.join(", ");
    const undo = await step.make?.(scene);
    try {
      const command = await pages.runbookCommand(step.runbook, step.command);
      say(`${alerts}: ${step.condition}; ${step.runbook}: ${await findCause(step, scene, prometheus, command)}`);
    } catch (error) {
      problems.push(`${alerts}: ${(error as Error).message}`);
      say(`PROBLEM: ${problems.at(-1)}`);
    } finally {
      await undo?.();
    }
  }
  await prometheus
    .until((firing) => firing.length === 0)
    .catch((error: Error) => problems.push(`after the conditions have ended, ${error.message}`));
  await scene.application.disconnect(scene.another);
  return problems;
}
