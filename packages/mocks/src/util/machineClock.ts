/** This machine's time, as fake timers show it where a test has them: for mocks that were asked to go with it. */
export function machineNowMs(): number {
  return Date.now();
}
