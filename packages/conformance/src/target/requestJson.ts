/** Calls a driver that returns JSON, and names it when it fails. */
export async function requestJson(url: string, method: "GET" | "POST" | "DELETE", body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The driver ${method} ${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as unknown;
}
