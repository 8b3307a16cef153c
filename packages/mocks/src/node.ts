export type { ServedMock, ServeOptions } from "./serve.ts";
export { serveMock } from "./serve.ts";
