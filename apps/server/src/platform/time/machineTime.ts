/**
 * How far the service's clock is ahead of this machine's, in whole seconds. For libraries that read the machine's clock
 * and accept an offset.
 */
export function secondsAheadOfMachine(now: Date): number {
  return Math.round((now.getTime() - Date.now()) / 1_000);
}
