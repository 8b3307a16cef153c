import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Flood {
  readonly port: number;
  readonly count: number;
  /** Application key; null to send none. */
  readonly key: string | null;
  /** The document of a request; different ones make a flood of distinct documents. */
  readonly documentOf: (index: number) => string;
  /** Text that the answer to each request has to hold. */
  readonly expects: string;
}

const CONNECTIONS = 4;
/** Requests on a connection before their answers are waited for. More unanswered ones end a connection. */
const BATCH = 8;

/** Sends requests over a few connections, many at a time on each; throws when an answer is not the expected one. */
export async function flood({ port, count, key, documentOf, expects }: Flood): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("latin1");
    await once(socket, "connect");
    while (next < count) {
      const documents = Array.from({ length: Math.min(BATCH, count - next) }, () => documentOf(next++));
      const answers = read(socket, documents.length, expects);
      socket.write(documents.map((document) => requestText(document, key)).join(""));
      await answers;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

function requestText(query: string, key: string | null): string {
  const body = JSON.stringify({ query });
  const authorization = key === null ? "" : `Authorization: Bearer ${key}\r\n`;
  return `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Resolves when so many answers have come. */
function read(socket: Socket, count: number, expects: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const end = (settle: () => void): void => {
      socket.off("data", onData).off("close", onClose);
      settle();
    };
    const onClose = (): void => end(() => reject(new Error("The server closed the connection.")));
    const onData = (chunk: string): void => {
      text += chunk;
      const answered = text.split(expects).length - 1;
      if (answered >= count) end(resolve);
      else if (text.includes('"errors"') && !expects.includes("errors")) {
        end(() => reject(new Error(`Unexpected answer: ${text.slice(-500)}`)));
      }
    };
    socket.on("data", onData).on("close", onClose);
  });
}
