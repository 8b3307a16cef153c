import { useQuery } from "@tanstack/react-query";
import { keyState } from "../../../ui/keyState.ts";
import { LinkTo } from "../../../ui/links.tsx";
import { Section } from "../../../ui/Section.tsx";
import { serviceTime } from "../../../ui/Timestamp.tsx";
import { clientCredentials, clientDeployment, clientTesters } from "../shared/queries.ts";
import classes from "./NextSteps.module.css";
import { useClient } from "./useClient.ts";

/** The steps that are still required before users can connect accounts; renders nothing if all are done. */
export function NextSteps() {
  const { id, enabled, providers, tenantKeys } = useClient();
  const keys = useQuery(clientCredentials(id)).data;
  const testers = useQuery(clientTesters(id)).data;
  const around = useQuery(clientDeployment).data;
  if (!enabled || keys === undefined || testers === undefined || around === undefined) return null;
  const isOpen = around.availability.some(({ provider, available }) => available && providers.includes(provider));
  const pageOf = (tab: string): string => `/clients/${id}/${tab}`;
  const steps: readonly (readonly [isMissing: boolean, page: string, link: string, rest: string])[] = [
    [
      !keys.some((key) => keyState(key, serviceTime()).isActive),
      pageOf("keys/new"),
      "Issue a key",
      ", so that the application can call the service.",
    ],
    [tenantKeys.length === 0, pageOf("tenants"), "Add a tenant key", ": every connection belongs to a tenant."],
    [providers.length === 0, pageOf("policy"), "Allow a provider", ": no account can be connected yet."],
    [
      providers.length > 0 && !isOpen,
      "/registrations",
      "Publish a registration",
      " at one of its providers: no account can be connected yet.",
    ],
    [
      around.deployment.mode === "SANDBOX" && testers.length === 0,
      pageOf("testers"),
      "Add a tester",
      ": in sandbox mode only testers’ accounts can be connected.",
    ],
  ];
  const open = steps.filter(([isMissing]) => isMissing);
  if (open.length === 0) return null;
  return (
    <Section title="Next steps">
      <ol className={classes.steps}>
        {open.map(([, page, link, rest]) => (
          <li key={page}>
            <LinkTo to={page} underline="always">
              {link}
            </LinkTo>
            {rest}
          </li>
        ))}
      </ol>
    </Section>
  );
}
