/** A page for a person, of a provider or the issuer. */
export async function openPage(fetch: typeof globalThis.fetch, url: string) {
  const shown = await fetch(url, { headers: { accept: "application/json" }, redirect: "manual" });
  if (!shown.ok) throw new Error(`There is no page but status ${shown.status} at ${url}.`);
  const page = (await shown.json()) as { action: string; state: string; scopes: string[] };
  const decide = async (body: URLSearchParams) => {
    const { headers, status } = await fetch(page.action, { method: "POST", body, redirect: "manual" });
    const location = headers.get("location");
    if (location === null) throw new Error(`${page.action} did not take the decision: status ${status}.`);
    return new URL(location);
  };
  return { ...page, decide };
}
