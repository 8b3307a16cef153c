/**
 * The entry point of every process of a development environment: `child.ts api|worker|simulator|example`. It sends a
 * message when it responds, shuts down cleanly on SIGTERM, and exits when its supervisor ends for any reason.
 */
import type { ChildRole } from "./processSupervisor.ts";

/** The module of a process: started when the promise resolves. */
export interface StartedProcess {
  stop(): Promise<void>;
}

const STARTERS: Readonly<Record<ChildRole, () => Promise<{ start(): Promise<StartedProcess> }>>> = {
  api: () => import("./api.ts"),
  worker: () => import("./worker.ts"),
  simulator: () => import("./simulator.ts"),
  example: () => import("./example.ts"),
};
/** Timeout of a clean shutdown. */
const STOP_TIMEOUT_MS = 8_000;

async function main(role: ChildRole): Promise<void> {
  let started: StartedProcess | null = null;
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    Promise.resolve(started?.stop()).then(
      () => process.exit(0),
      (error: Error) => {
        console.error(error.message);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("disconnect", end);
  // Ctrl-C does not reach this process; its supervisor stops it.
  process.on("SIGINT", () => undefined);
  const { start } = await STARTERS[role]();
  started = await start();
  if (isEnding) return void started.stop().finally(() => process.exit(0));
  process.send?.("ready");
}

main(process.argv[2] as ChildRole).catch((error: Error) => {
  console.error(process.env.LOG_LEVEL === "debug" ? error : error.message);
  process.exit(1);
});
