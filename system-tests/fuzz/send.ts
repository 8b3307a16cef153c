import { connect } from "node:net";
import { brotliDecompressSync, constants } from "node:zlib";
import type { WrittenRequest } from "./httpRequest.ts";

export interface Answer {
  /** null: the connection was closed without one. */
  readonly status: number | null;
  /** Head and body. */
  readonly text: string;
  readonly elapsedMs: number;
}

/** A broken request may announce more bytes than it has; after this idle time the connection is half-closed. */
const HALF_CLOSE_AFTER_MS = 150;
const GIVE_UP_AFTER_MS = 15_000;

/** Sends the bytes over a new connection, and reads until the other side closes it. */
export function send(port: number, { bytes, isWellFormed }: WrittenRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let beganMs = performance.now();
    let answeredMs: number | null = null;
    const socket = connect(port, "127.0.0.1", () => {
      beganMs = performance.now();
      socket.write(bytes);
    });
    const halfClose = isWellFormed
      ? undefined
      : setTimeout(() => {
          if (answeredMs !== null) return;
          beganMs = performance.now();
          socket.end();
        }, HALF_CLOSE_AFTER_MS);
    const giveUp = setTimeout(() => socket.destroy(), GIVE_UP_AFTER_MS);
    socket.on("data", (chunk) => {
      answeredMs ??= performance.now();
      chunks.push(chunk);
      if (!isWellFormed) socket.end();
    });
    // A server that has refused closes while more is being sent to it.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(halfClose);
      clearTimeout(giveUp);
      const text = decompressed(withoutInterim(Buffer.concat(chunks).toString("latin1")));
      resolve({ status: statusOf(text), text, elapsedMs: (answeredMs ?? performance.now()) - beganMs });
    });
  });
}

/** An answer may be preceded by `100 Continue`. */
function withoutInterim(text: string): string {
  return text.replace(/^(?:HTTP\/1\.1 1\d\d[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/, "");
}

/** The connection may end before the answer does. */
const PARTIAL = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Reads a body that the request accepted as Brotli. */
function decompressed(text: string): string {
  const [head = "", body = ""] = text.split(/(?<=\r\n\r\n)(.*)/s);
  const bytes = Buffer.from(body, "latin1");
  const isCompressed = /\r\ncontent-encoding: br\r\n/i.test(head) && !/\r\ntransfer-encoding:/i.test(head);
  const isEmpty = bytes.length === 0;
  return head + (isCompressed && !isEmpty ? brotliDecompressSync(bytes, PARTIAL) : bytes).toString("utf8");
}

function statusOf(text: string): number | null {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  return status === undefined ? null : Number(status);
}

/** The body of an answer that came whole or in chunks. */
export function bodyOf({ text }: Answer): string {
  const at = text.indexOf("\r\n\r\n");
  return at < 0 ? "" : text.slice(at + 4);
}
