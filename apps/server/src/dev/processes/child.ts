/**
 * The entry point of every process of a development environment: `child.ts api|worker|simulator|example`. It sends a
 * message when it responds, shuts down cleanly on SIGTERM, and exits when its supervisor ends for any reason.
 */
import { handleSignals } from "@social-connect/domain";
import type { ChildRole } from "./processSupervisor.ts";

interface StartedProcess {
  stop(): Promise<void>;
}

/** Each loads what it needs. */
const STARTERS: Readonly<Record<ChildRole, () => Promise<StartedProcess>>> = {
  api: () => startService("api"),
  worker: () => startService("worker"),
  simulator: async () => (await import("./simulator.ts")).start(),
  example: async () => (await import("./example.ts")).start(),
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
  // Its supervisor stops this process after Ctrl-C, in order.
  const source = { on: (signal: string, listener: () => void) => signal !== "SIGINT" && process.on(signal, listener) };
  process.on("SIGINT", () => undefined);
  handleSignals(source, {
    nowMs: () => performance.now(),
    stop: end,
    exit: () => process.exit(1),
    say: (line) => console.error(line),
  });
  process.on("disconnect", end);
  started = await STARTERS[role]();
  if (isEnding) return void started.stop().finally(() => process.exit(0));
  process.send?.("ready");
}

async function startService(role: "api" | "worker"): Promise<StartedProcess> {
  const [{ startServer }, { settingsFromEnvironment }] = await Promise.all([
    import("../../main.ts"),
    import("../../config/settings.ts"),
  ]);
  return startServer(settingsFromEnvironment({ role }));
}

main(process.argv[2] as ChildRole).catch((error: Error) => {
  console.error(process.env.LOG_LEVEL === "debug" ? error : error.message);
  process.exit(1);
});
