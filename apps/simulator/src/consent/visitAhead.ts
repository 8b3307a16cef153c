const DEADLINE_MS = 5_000;

/** Requests an address as link checkers and browsers do before a person opens it. A failure is not the person's. */
export async function visitAhead(address: string): Promise<void> {
  const requests = [{ method: "HEAD" }, { headers: { "sec-purpose": "prefetch" } }];
  for (const request of requests) {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(address, { ...request, redirect: "manual", signal }).catch(() => null);
    await response?.body?.cancel();
  }
}
