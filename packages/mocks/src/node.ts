export type { SeedFile } from "./node/seedFile.ts";
export { readSeedFile } from "./node/seedFile.ts";
export type { ServedMock, ServeOptions } from "./node/serve.ts";
export { serveMock } from "./node/serve.ts";
