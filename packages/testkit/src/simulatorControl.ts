/** Calls the simulator's control address; throws unless it answers well. */
export async function control<Answer>(
  simulatorUrl: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${simulatorUrl}/__sim${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The simulator answers ${method} ${path} with ${response.status}.`);
  return (await response.json()) as Answer;
}

export interface SimulatedAccount {
  readonly name: string;
  readonly accountId: string;
  readonly handle: string;
  readonly grants: readonly SimulatedGrant[];
}

export interface SimulatedGrant {
  readonly id: string;
  readonly createdAt: string;
  readonly ended: { readonly cause: string; readonly at: string } | null;
  readonly uses: Readonly<
    Record<"refreshes" | "overlappingRefreshes" | "replayedRefreshes" | "blindRefreshes" | "revocations", number>
  >;
}
