export type { Browser, BrowserContext, Frame, Locator, Page, Request } from "playwright-core";
export { overflowOf, violationsOf } from "./accessibility.ts";
export { browserProgram, launchBrowser } from "./browser.ts";
export { leastCpuMs, leastCpuMsOf } from "./cpuTime.ts";
export {
  DATABASE_SERVER_VARIABLE,
  readTables,
  runStatement,
  TEMPLATE_DATABASE_VARIABLE,
  type TestDatabase,
  testDatabase,
} from "./database.ts";
export type { EngineBrowser, EngineLocator, EnginePage } from "./enginePage.ts";
export { eventually, PATIENCE_MS } from "./eventually.ts";
export { engineName } from "./findEngine.ts";
export { expectLinearTime } from "./hostileText.ts";
export { INHERITED_ENVIRONMENT } from "./inheritedEnvironment.ts";
export { launchEngine } from "./launchEngine.ts";
export { reservePort, reservePorts } from "./ports.ts";
export { readMetric } from "./readMetric.ts";
export { type LocalServer, serve } from "./serve.ts";
export { control, type SimulatedAccount } from "./simulatorControl.ts";
export { canMountDisk, mountDisk, type SmallDisk } from "./smallDisk.ts";
export { SWEEPS_ALL, sampled } from "./sweep.ts";
export { type TestClock, testClock } from "./testClock.ts";
export { HOSTILE_PAGES, type RawRequest, rawRequest } from "./webPages.ts";
