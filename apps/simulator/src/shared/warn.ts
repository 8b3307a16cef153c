import { format } from "node:util";
import { droppingWriter, printableLines } from "@social-connect/domain";

const write = droppingWriter(process.stderr);

/** Writes to standard error, whose failures do not end the simulator. */
export function warn(...values: readonly unknown[]): void {
  write(printableLines(format(...values)));
}
