/** Answers two operations with fixed bodies, in a separate process so that its work is not measured. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { contentPage, job, post } from "../src/testing/samples.ts";

const metric = { value: "120450", availability: "AVAILABLE", reason: null, observedAt: "2026-03-01T11:00:00.000Z" };
const metrics = ["VIEWS", "LIKES", "COMMENTS", "SHARES"].map((name) => ({
  ...metric,
  name,
  sourceField: `${name}Count`,
}));
const posts = Array.from({ length: 50 }, (_, index) =>
  post(`post-${index}`, { description: "What a caption says. ".repeat(15), metrics }),
);
const ANSWERS = {
  syncJob: JSON.stringify({ data: { syncJob: job("RUNNING") } }),
  content: JSON.stringify({ data: { content: contentPage(posts) } }),
};

const server = createServer(async (request, response) => {
  const body = await text(request);
  const answer = body.includes("syncJob(") ? ANSWERS.syncJob : ANSWERS.content;
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) })
    .end(answer);
});
server.listen(0, "127.0.0.1", () => process.send?.(Object(server.address()).port));
