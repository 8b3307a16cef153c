import { ConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import type { ScenarioName } from "../scenarios/scenarios.ts";
import { serveOverHttp } from "./nodeServer.ts";

/** Options of a mock that is served over HTTP. */
export interface ServeOptions extends Omit<MockOptions, "baseUrl" | "connectHost" | "adminHost"> {
  /** 0, the default, selects a free port. */
  readonly port?: number;
  /** The listening address, 127.0.0.1 by default. Every client that can connect controls the mock. */
  readonly host?: string;
  /** The initial scenario. */
  readonly scenario?: ScenarioName;
}

/** A mock that is served over HTTP, for programs in any language. */
export interface ServedMock {
  /** Base URL of the API and of the pages; the control API is below `/__mock/`. */
  readonly url: string;
  /** The mock. */
  readonly mock: ConsumerMock;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = "127.0.0.1";

/** Creates a mock and serves it over HTTP. */
export async function serveMock(options: ServeOptions = {}): Promise<ServedMock> {
  const { port = 0, host = DEFAULT_HOST, scenario, ...rest } = options;
  let mock: ConsumerMock | undefined;
  const server = await serveOverHttp({ port, host }, (baseUrl) => {
    mock = new ConsumerMock({ ...rest, baseUrl });
    return mock;
  });
  if (mock === undefined) throw new Error("the mock was not created");
  try {
    if (scenario !== undefined) await mock.load(scenario);
  } catch (error) {
    // A listening server would keep the process running.
    await server.close();
    throw error;
  }
  return { url: mock.baseUrl, mock, close: () => server.close() };
}
