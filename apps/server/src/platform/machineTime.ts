/**
 * How far a moment of the service's clock is ahead of this machine's, in whole seconds. For libraries that look at the
 * machine's clock by themselves and can be told how wrong it is.
 */
export function secondsAheadOfMachine(now: Date): number {
  return Math.round((now.getTime() - Date.now()) / 1_000);
}
