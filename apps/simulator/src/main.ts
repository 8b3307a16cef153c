import { portVariable, readSettings } from "./settings.ts";
import { PROVIDER_KEYS } from "./shared/providerKeys.ts";
import { startSimulator } from "./startSimulator.ts";

/** Starts the simulator from environment variables, prints its URLs as one line of JSON, and exits on SIGTERM or SIGINT. */
try {
  const running = await startSimulator(readSettings(process.env));
  const { simulatorUrl, issuerUrl, issuerUrls, providerUrls } = running;
  console.log(JSON.stringify({ ready: true, simulatorUrl, issuerUrl, issuerUrls, providerUrls }));
  const end = (): void => {
    void running.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
} catch (error) {
  console.error(error instanceof Error ? explain(error) : error);
  process.exit(1);
}

function explain(error: Error): string {
  if ("code" in error && error.code === "EADDRINUSE") {
    const port = "port" in error ? ` ${String(error.port)}` : "";
    const variables = ["SIMULATOR_PORT", "ISSUER_PORT", ...PROVIDER_KEYS.map(portVariable)].join(", ");
    return `Port${port} is in use. Stop the process that uses it, or set another port: ${variables}.`;
  }
  if ("code" in error && (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND"))
    return "The address in SIMULATOR_HOST is not one of this machine. Set it to one, such as 127.0.0.1.";
  if ("code" in error && error.code === "EACCES")
    return "The user of this process may not use this port. Set the ports to numbers from 1024.";
  return error.message;
}
