export type Control = <Answer = void>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<Answer>;

export function openControl(baseUrl: string, fetch: typeof globalThis.fetch): Control {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/__mock/${path}`, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The mock's ${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Answer;
  };
}
