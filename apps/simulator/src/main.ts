import { droppingWriter, handleSignals, printableLines } from "@social-connect/domain";
import { portVariable, readSettings } from "./settings.ts";
import { PROVIDER_KEYS } from "./shared/providerKeys.ts";
import { warn } from "./shared/warn.ts";
import { startSimulator } from "./startSimulator.ts";

/** Starts the simulator from environment variables, prints its URLs as one line of JSON, and exits when a signal stops it. */
try {
  const starting = startSimulator(readSettings(process.env));
  handleSignals(process, {
    nowMs: () => performance.now(),
    stop: () => void starting.then(({ close }) => close()).then(() => process.exit(0)),
    exit: () => process.exit(1),
    say: warn,
  });
  const { simulatorUrl, issuerUrl, issuerUrls, providerUrls } = await starting;
  droppingWriter(process.stdout)(JSON.stringify({ ready: true, simulatorUrl, issuerUrl, issuerUrls, providerUrls }));
} catch (error) {
  console.error(printableLines(error instanceof Error ? explain(error) : String(error)));
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
