import { connect } from "node:net";

/** Sends bytes; everything received until the server closes the connection or `isEnough` is true. */
export function sendBytes(
  url: string,
  bytes: string,
  isEnough: (answers: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answers = "";
    socket.on("data", (chunk) => {
      answers += chunk.toString("latin1");
      if (isEnough(answers)) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answers));
  });
}
