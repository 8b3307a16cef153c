/**
 * A separate process whose connections send requests and leave before the answer, until it gets a stop message; it reports how
 * many requests were sent.
 */
import { createConnection } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";

export interface LeavingCallers {
  readonly port: number;
  /** The name of the server with TLS; null without TLS. */
  readonly tlsName: string | null;
  readonly connections: number;
  /** Sent on a connection without waiting for responses. */
  readonly requests: readonly string[];
}

const MAX_STAY_MS = 50;
/** For a connection. */
const LONGEST_WAIT_MS = 5_000;

let isStopped = false;
let sent = 0;

async function callAndLeave({ port, tlsName, requests }: LeavingCallers, index: number): Promise<void> {
  for (let turn = index; !isStopped; turn += 1) {
    const request = requests[turn % requests.length] ?? "";
    const socket =
      tlsName === null
        ? createConnection(port, "127.0.0.1")
        : connect({ port, host: "127.0.0.1", servername: tlsName, rejectUnauthorized: false });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined).setTimeout(LONGEST_WAIT_MS, () => socket.destroy());
    socket.resume().once(tlsName === null ? "connect" : "secureConnect", () => {
      sent += 1;
      socket.write(request);
      void setTimeout((turn * 7) % MAX_STAY_MS).then(() => socket.destroy());
    });
    await closed;
  }
}

process.once("message", (callers: LeavingCallers) => {
  process.once("message", () => {
    isStopped = true;
  });
  const leaving = Array.from({ length: callers.connections }, (_, index) => callAndLeave(callers, index));
  void Promise.all(leaving).then(() => process.send?.(sent));
});
