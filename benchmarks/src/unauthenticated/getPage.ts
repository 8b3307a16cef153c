import { type Agent, request } from "node:http";

/** Resolves when the page was read; rejects if there is no answer. */
export function get(url: string, agent: Agent, localAddress: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, localAddress }, (response) => {
      response.resume().once("end", resolve).once("error", reject);
    });
    sent.once("error", reject);
    sent.end();
  });
}
