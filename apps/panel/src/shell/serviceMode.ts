/** SANDBOX or LIVE, which the service writes into the page; null where another server sends the page. */
export function serviceMode(): "SANDBOX" | "LIVE" | null {
  const mode = document.querySelector<HTMLMetaElement>('meta[name="service-mode"]')?.content.toUpperCase();
  return mode === "SANDBOX" || mode === "LIVE" ? mode : null;
}
