import { ConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import type { ScenarioName } from "../scenarios/scenarios.ts";
import { InspectionPage } from "./inspection/inspectionPage.ts";
import { serveOverHttp } from "./nodeServer.ts";
import { StateFile } from "./stateFile.ts";

/** Options of a mock that is served over HTTP. */
export interface ServeOptions extends Omit<MockOptions, "baseUrl" | "connectHost" | "adminHost"> {
  /** 0, the default, selects a free port. */
  readonly port?: number;
  /** The listening address, 127.0.0.1 by default. Every client that can connect controls the mock. */
  readonly host?: string;
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
  /** The mock. */
  readonly mock: ConsumerMock;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

export const DEFAULT_HOST = "127.0.0.1";

/** Creates a mock and serves it over HTTP. */
export async function serveMock(options: ServeOptions = {}): Promise<ServedMock> {
  const { port = 0, host = DEFAULT_HOST, scenario, stateFile: path, onError = () => {}, ...rest } = options;
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
  const server = await serveOverHttp({ port, host }, (baseUrl) => {
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
  return { url: mock.baseUrl, mock, close };
}
