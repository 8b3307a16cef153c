import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { TestService } from "../../modules/testing/testService.ts";
import { createHttpHandler } from "../server.ts";

/** A folder that does not exist: most tests do not use the panel, and none depends on an earlier build. */
export const NO_PANEL = fileURLToPath(new URL("./no-panel/", import.meta.url));

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The server's handler on a free loopback port. */
export async function startTestServer(service: TestService): Promise<TestServer> {
  const server: Server = createServer(createHttpHandler({ service, isReady: async () => true, panelFolder: NO_PANEL }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface GraphQLAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the query's
  readonly data: any;
  readonly errors: readonly { message: string; extensions: Record<string, unknown> }[];
  readonly code: unknown;
}

export async function query(
  { url }: TestServer,
  key: string | null,
  text: string,
  variables: Record<string, unknown> = {},
): Promise<GraphQLAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data = null, errors = [] } = (await response.json()) as Partial<GraphQLAnswer>;
  return { status: response.status, data, errors, code: errors[0]?.extensions["code"] };
}
