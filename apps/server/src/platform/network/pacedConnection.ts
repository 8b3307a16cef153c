import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * Requests of one connection that may wait for their responses. Browsers, proxies and HTTP clients send one at a time. Each
 * takes a few kilobytes, also while the client does not read: 25 MB of them ended a process with a 512 MB heap.
 */
const MAX_UNANSWERED = 8;
/** What is read ahead of the requests that wait. A client that leaves is noticed while less is unread. */
const MAX_UNREAD_BYTES = 65_536;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOTHING = Buffer.alloc(0);

type Done = (error?: Error | null) => void;

/**
 * A connection that bounds what it can keep in memory. Node parses all that it has read of a connection, some 2,000 requests in
 * 64 KB, before it does anything else: 300 connections ended a process with a 256 MB heap. This one hands over at most eight
 * requests in a turn of the event loop, and reads no further while eight wait for their responses.
 */
export class PacedConnection extends Duplex {
  readonly unanswered = new Set<ServerResponse>();
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #unread: Buffer = NOTHING;
  #isAwaited = false;
  #nextTurn: NodeJS.Immediate | null = null;

  constructor(socket: Socket) {
    super({ decodeStrings: false });
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      // The last response was sent. The rest is only read so that the client receives that response instead of a reset.
      if (!this.writable) return;
      this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
      this.#handOver();
      if (this.#unread.length >= MAX_UNREAD_BYTES) socket.pause();
    });
    socket.once("end", () => {
      this.#unread = NOTHING;
      this.push(null);
    });
    socket.on("timeout", () => this.emit("timeout"));
    socket.once("error", (error) => this.destroy(error));
    socket.once("close", () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    this.#socket.setTimeout(milliseconds, listener);
    return this;
  }

  /** Handles one request at a time: the others have no separate turn, and none begins for a caller that has left. */
  handle(response: ServerResponse, begin: () => void): void {
    this.unanswered.add(response);
    response.once("close", () => {
      this.unanswered.delete(response);
      if (this.writable) this.#waiting.shift()?.();
      this.#handOver();
    });
    if (this.unanswered.size === 1) begin();
    else this.#waiting.push(begin);
  }

  #handOver(): void {
    if (!this.#isAwaited || this.#nextTurn !== null) return;
    if (this.#unread.length === 0) return void this.#socket.resume();
    const room = MAX_UNANSWERED - this.unanswered.size;
    if (room <= 0 || !this.writable) return;
    const end = endOfHeaders(this.#unread, room);
    const part = this.#unread.subarray(0, end);
    this.#unread = this.#unread.subarray(end);
    if (this.#unread.length > 0)
      this.#nextTurn = setImmediate(() => {
        this.#nextTurn = null;
        this.#handOver();
      });
    this.#isAwaited = false;
    this.push(part);
  }

  override _read(): void {
    this.#isAwaited = true;
    this.#handOver();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding }[], done: Done): void {
    this.#socket.cork();
    for (const { chunk, encoding } of chunks.slice(0, -1)) this.#socket.write(chunk, encoding);
    for (const { chunk, encoding } of chunks.slice(-1)) this.#socket.write(chunk, encoding, done);
    this.#socket.uncork();
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    this.#socket.destroy();
    done(error);
  }
}

/** Where the headers of at most `count` requests end, each with an empty line. A body with empty lines is handed over in more parts. */
function endOfHeaders(bytes: Buffer, count: number): number {
  let found = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1;
    if (bytes[next] !== LINE_FEED) continue;
    found += 1;
    if (found === count) return next + 1;
  }
  return bytes.length;
}
