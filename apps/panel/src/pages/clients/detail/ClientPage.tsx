import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useMatches } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { asFailure } from "../../../api/failure.ts";
import { useHeadingFocus } from "../../../ui/focusOnNavigation.tsx";
import { Loaded } from "../../../ui/Loaded.tsx";
import { clientStatus } from "../../../ui/labels.ts";
import { LinkButton } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/PageHeader.tsx";
import { LinesSkeleton } from "../../../ui/Skeletons.tsx";
import { StatusBadge } from "../../../ui/StatusBadge.tsx";
import { clientDetail } from "../shared/queries.ts";
import classes from "./ClientPage.module.css";

const route = getRouteApi("/clients/$clientId");

/** The tabs of a client's page. */
const SECTIONS = [
  { to: "/clients/$clientId", label: "Overview" },
  { to: "/clients/$clientId/keys", label: "Keys" },
  { to: "/clients/$clientId/events", label: "Events" },
  { to: "/clients/$clientId/addresses", label: "Addresses" },
  { to: "/clients/$clientId/tenants", label: "Tenants" },
  { to: "/clients/$clientId/policy", label: "Permissions" },
  { to: "/clients/$clientId/testers", label: "Testers" },
  { to: "/clients/$clientId/branding", label: "Branding" },
  { to: "/clients/$clientId/previews", label: "Previews" },
  { to: "/clients/$clientId/identity", label: "Identity" },
] as const;

/** The tab of a path, e.g. the keys of `/clients/1/keys/new`. */
function sectionAt(pathname: string, clientId: string): (typeof SECTIONS)[number] {
  const longestFirst = SECTIONS.toSorted((left, right) => right.to.length - left.to.length);
  return longestFirst.find(({ to }) => pathname.startsWith(to.replace("$clientId", clientId))) ?? SECTIONS[0];
}

/** The header and tabs of a client's pages. */
export function ClientPage() {
  const { clientId } = route.useParams();
  const query = useQuery(clientDetail(clientId));
  const client = query.data;
  const isMissing = query.error !== null && asFailure(query.error).code === "NOT_FOUND";
  // Not the location, which changes while the next page still loads.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? "" });
  const section = sectionAt(pathname, clientId);
  return (
    <>
      <PageHeader
        title={client?.displayName ?? "Client"}
        part={section.label}
        breadcrumbs={[{ to: "/clients", label: "Clients" }]}
        badge={client && <StatusBadge {...clientStatus(client.enabled)} />}
        description={client?.slug ?? (isMissing ? undefined : <LinesSkeleton count={1} />)}
        actions={
          !isMissing && (
            <LinkButton to="/audit" search={client ? { client: client.slug } : {}} variant="default">
              Audit log
            </LinkButton>
          )
        }
      />
      {!isMissing && (
        <nav aria-label="Client sections" className={classes.sections}>
          <ul className={classes.list}>
            {SECTIONS.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ clientId }}
                  className={classes.link}
                  activeOptions={{ exact: to === SECTIONS[0].to }}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <SectionBody pathname={pathname} label={section.label}>
        <Loaded query={query} sections={[9]}>
          {() => <Outlet />}
        </Loaded>
      </SectionBody>
    </>
  );
}

/** Receives the focus when another tab is opened, because the page's heading does not change. */
function SectionBody({
  pathname,
  label,
  children,
}: {
  readonly pathname: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const body = useHeadingFocus<HTMLElement>(pathname);
  return (
    <section ref={body} tabIndex={-1} aria-label={label} className={classes.body}>
      {children}
    </section>
  );
}
