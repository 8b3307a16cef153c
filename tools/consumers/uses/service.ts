/** Where a consumer finds the service, and with what: handed in, because not every runtime has an environment to read. */
export interface Service {
  readonly url: string;
  readonly applicationKey: string;
  readonly adminKey: string;
}

/** Not `node:assert`, which not every runtime has. */
export function ensure(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(`not so: ${what}`);
}
