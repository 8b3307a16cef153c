import { readFile } from "node:fs/promises";

/** proc(5): the kernel counts time in ticks of 10 ms on every platform that Node supports. */
const TICKS_PER_SECOND = 100;

/** CPU time that a process has taken so far, in seconds; NaN where there is no /proc. */
export async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the command's name, which may hold anything: the 12th and 13th fields are user and system time.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
