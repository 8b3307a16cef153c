/** The tabs of a client's page. */
export const SECTIONS = [
  { to: "/clients/$clientId", label: "Overview" },
  { to: "/clients/$clientId/keys", label: "Keys" },
  { to: "/clients/$clientId/addresses", label: "Addresses" },
  { to: "/clients/$clientId/tenants", label: "Tenants" },
  { to: "/clients/$clientId/policy", label: "Permissions" },
  { to: "/clients/$clientId/testers", label: "Testers" },
  { to: "/clients/$clientId/branding", label: "Branding" },
  { to: "/clients/$clientId/previews", label: "Previews" },
  { to: "/clients/$clientId/identity", label: "Identity" },
] as const;

/** The tab of a path, e.g. the keys of `/clients/1/keys/new`. */
export function sectionAt(pathname: string, clientId: string): (typeof SECTIONS)[number] {
  const longestFirst = SECTIONS.toSorted((left, right) => right.to.length - left.to.length);
  return longestFirst.find(({ to }) => pathname.startsWith(to.replace("$clientId", clientId))) ?? SECTIONS[0];
}
