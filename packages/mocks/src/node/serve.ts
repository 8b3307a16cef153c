import { ConsumerMock } from "../mock/consumerMock.ts";
import { addressOf, type MockOptions } from "../mock/options.ts";
import type { ScenarioName } from "../scenarios/scenarios.ts";
import { within } from "../util/misuse.ts";
import { InspectionPage } from "./inspection/inspectionPage.ts";
import { serveOverHttp } from "./nodeServer.ts";
import { StateFile } from "./stateFile.ts";

/** Options of a mock that is served over HTTP. */
export interface ServeOptions extends Omit<MockOptions, "baseUrl" | "connectHost" | "adminHost"> {
  /** 0, the default, selects a free port. */
  readonly port?: number;
  /** The listening address, 127.0.0.1 by default. Every client that can connect controls the mock. */
  readonly host?: string;
  /**
   * The base URL under which browsers reach the mock, for example behind a proxy or the port mapping of a container. By default
   * the listening address. If that is every address of the machine, URLs in a response contain the host of its request.
   */
  readonly publicUrl?: string;
  /**
   * Host names under which clients reach the mock, without a port, besides those of this machine, of `host` and of
   * `publicUrl`. Requests to other names get a 403, so that a web page cannot reach the mock by DNS rebinding.
   */
  readonly allowedHosts?: readonly string[];
  /** The initial scenario. */
  readonly scenario?: ScenarioName;
  /**
   * Keeps the state in this file, which only its owner may read. A mock that is served with the same file continues with it,
   * and ignores `scenario`.
   */
  readonly stateFile?: string;
  /** Called when the state file cannot be written; the mock continues without it. */
  readonly onError?: (error: Error) => void;
}

/** A mock that is served over HTTP, for programs in any language. */
export interface ServedMock {
  /** Base URL of the API and of the pages; `/` is the inspection page, and the control API is below `/__mock/`. */
  readonly url: string;
  /** The port on which it listens, which a public URL may not have. */
  readonly port: number;
  /** The mock. */
  readonly mock: ConsumerMock;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = "127.0.0.1";

/** Before anything listens. */
function checkPublicUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return within("publicUrl", () => addressOf("publicUrl", url));
}

/** Creates a mock and serves it over HTTP. */
export async function serveMock(options: ServeOptions = {}): Promise<ServedMock> {
  const {
    port = 0,
    host = DEFAULT_HOST,
    publicUrl,
    allowedHosts,
    scenario,
    stateFile: path,
    onError = () => {},
    ...rest
  } = options;
  let mock: ConsumerMock | undefined;
  let stateFile: StateFile | undefined;
  let start = () => {};
  let reported = "";
  const report = (error: Error) => {
    if (error.message !== reported) onError(error);
    reported = error.message;
  };
  // Requests wait until the mock has its first state.
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const server = await serveOverHttp({ port, host, publicUrl: checkPublicUrl(publicUrl), allowedHosts }, (baseUrl) => {
    const created = new ConsumerMock({ ...rest, baseUrl });
    const page = new InspectionPage(created);
    mock = created;
    return {
      answer: async (request, peer) => {
        await started;
        const outcome = (await page.answer(request, peer)) ?? (await created.answer(request));
        void stateFile?.save().catch(report);
        return outcome;
      },
    };
  });
  if (mock === undefined) throw new Error("the mock was not created");
  try {
    if (path !== undefined) stateFile = new StateFile(path, mock);
    const seed = rest.seed === undefined ? undefined : String(rest.seed);
    const isRestored = (await stateFile?.load(seed)) === true;
    if (scenario !== undefined && !isRestored) await mock.load(scenario);
    await stateFile?.save();
  } catch (error) {
    // A listening server would keep the process running.
    await server.close();
    throw error;
  }
  start();
  const close = async () => {
    await server.close();
    await stateFile?.save();
  };
  return { url: mock.baseUrl, port: server.port, mock, close };
}
