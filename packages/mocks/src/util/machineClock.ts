/** The system time, or a test's fake timers: for mocks with `now: "system"`. */
export function machineNowMs(): number {
  return Date.now();
}
