import { appendFileSync } from "node:fs";

export type Journal = ReturnType<typeof openJournal>;

/** The log of a run, one JSON object a line. Ids, states and codes only: no token, launch token or key is written. */
export function openJournal(file: string) {
  return {
    write: (entry: string, facts: object) => {
      const line = JSON.stringify({ at: new Date(), entry, ...facts });
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    },
  };
}
