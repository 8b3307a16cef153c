const DEADLINE_MS = 5_000;
/** No application answers more. */
const MAX_TEXT = 10_000;

export type ClientResponse = NonNullable<Awaited<ReturnType<typeof sendToClient>>>;

/** Posts a message to an application; null without a URL or a response. */
export async function sendToClient(
  url: string | undefined,
  body: URLSearchParams | string,
  headers: Readonly<Record<string, string>> = {},
) {
  if (url === undefined) return null;
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
    return { status: response.status, text: (await response.text()).slice(0, MAX_TEXT) };
  } catch {
    return null;
  }
}
