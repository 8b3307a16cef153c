import { join } from "node:path";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { Visitor } from "../../packages/testkit/src/visitor.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { bundle, startWorker, WORKER } from "./runtimes.ts";

/** The example for worker runtimes, with the built SDK, in the runtime of its platform: a user links an account there. */
export async function proveDeployedWorker(folder: string, { url, mock }: ServedMock): Promise<void> {
  const service = { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: mock.key, SOCIAL_CONNECT_TENANT: "acme" };
  const own = { RETURN_URL: "https://app.example.com/return", SESSION_SECRET: "0123456789abcdef".repeat(2) };
  const entry = join(ROOT, "examples/hono-app/src/worker.ts");
  const file = await bundle(entry, { ...WORKER, outfile: join(folder, "deployedWorker.mjs") });
  await using host = await startWorker(file, { bindings: { ...service, ...own } });
  const visitor = await new Visitor(host.fetch, new URL(own.RETURN_URL).origin).signIn();
  const { headers } = await visitor.post("/connect", { provider: "PROVIDER_A" });
  const [id = ""] = /[0-9a-f-]{36}/.exec(decodeURIComponent(String(headers.get("set-cookie")))) ?? [];
  mock.connect(id).complete({ account: "slow-trains" });
  const { location } = await visitor.get(`/return?ss_session_id=${id}`);
  const { text } = await visitor.get(String(location));
  if (!text.includes("<h1>Posts of ")) throw new Error(`the worker shows no posts: ${text}`);
}
