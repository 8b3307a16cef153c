import { ConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import type { ScenarioName } from "../scenarios/scenarios.ts";
import { serveOverHttp } from "./nodeServer.ts";

/** How the mock is served over HTTP, and how it begins. */
export interface ServeOptions extends Omit<MockOptions, "baseUrl" | "connectHost" | "adminHost"> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Where to listen: this machine alone by default. Whoever reaches the mock controls it. */
  readonly host?: string;
  /** Where the mock begins, when not with nothing linked. */
  readonly scenario?: ScenarioName;
}

/** A mock that is served over HTTP, for programs in any language. */
export interface ServedMock {
  /** Base address of the API and of the pages; the control is below `/__mock/`. */
  readonly url: string;
  /** The mock itself, with all of its control. */
  readonly mock: ConsumerMock;
  /** Stops serving; connections that are open are cut. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = "127.0.0.1";

/** Serves a new mock. With a clock of its own it stands still until it is advanced, as everywhere. */
export async function serveMock(options: ServeOptions = {}): Promise<ServedMock> {
  const { port = 0, host = DEFAULT_HOST, scenario, ...rest } = options;
  let mock: ConsumerMock | undefined;
  const server = await serveOverHttp({ port, host }, (baseUrl) => {
    mock = new ConsumerMock({ ...rest, baseUrl });
    return mock;
  });
  if (mock === undefined) throw new Error("the mock was not made");
  try {
    if (scenario !== undefined) await mock.load(scenario);
  } catch (error) {
    // A server that nobody was given to close would keep the program from ending.
    await server.close();
    throw error;
  }
  return { url: mock.baseUrl, mock, close: () => server.close() };
}
