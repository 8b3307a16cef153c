export type { ServedMock, ServeOptions } from "./node/serve.ts";
export { serveMock } from "./node/serve.ts";
