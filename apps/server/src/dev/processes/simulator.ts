import type { SimulatorOptions } from "@social-connect/simulator";
import { SIMULATOR_OPTIONS } from "./simulatorOptions.ts";

export async function start() {
  const { startSimulator } = await loadSimulator();
  const simulator = await startSimulator(JSON.parse(process.env[SIMULATOR_OPTIONS] ?? "{}") as SimulatorOptions);
  return { stop: () => simulator.close() };
}

/** The simulator's issuer needs an optional dependency of the published package, which deployments omit. */
export async function loadSimulator(): Promise<typeof import("@social-connect/simulator")> {
  try {
    return await import("@social-connect/simulator");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes("oidc-provider")) throw error;
    throw new Error("`dev` needs the optional dependency oidc-provider, which is not installed; install it");
  }
}
