import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** The machine and its load, because results depend on both. */
export function describeMachine(): string {
  const processor = cpus()[0]?.model.trim() || "unknown processor";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${processor}), ${memory}, Node ${process.versions.node}, load ${load}\n`;
}
