import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
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
  const params = { clientId: id };
  const isOpen = around.availability.some(({ provider, available }) => available && providers.includes(provider));
  const steps: [string, boolean, ReactNode][] = [
    [
      "key",
      !keys.some((key) => keyState(key, serviceTime()).isActive),
      <>
        <LinkTo to="/clients/$clientId/keys/new" params={params} underline="always">
          Issue a key
        </LinkTo>
        , so that the application can call the service.
      </>,
    ],
    [
      "tenant",
      tenantKeys.length === 0,
      <>
        <LinkTo to="/clients/$clientId/tenants" params={params} underline="always">
          Add a tenant key
        </LinkTo>
        : every connection belongs to a tenant.
      </>,
    ],
    [
      "policy",
      providers.length === 0,
      <>
        <LinkTo to="/clients/$clientId/policy" params={params} underline="always">
          Allow a provider
        </LinkTo>
        : no account can be connected yet.
      </>,
    ],
    [
      "registration",
      providers.length > 0 && !isOpen,
      <>
        <LinkTo to="/registrations" underline="always">
          Publish a registration
        </LinkTo>{" "}
        at one of its providers: no account can be connected yet.
      </>,
    ],
    [
      "tester",
      around.deployment.mode === "SANDBOX" && testers.length === 0,
      <>
        <LinkTo to="/clients/$clientId/testers" params={params} underline="always">
          Add a tester
        </LinkTo>
        : in sandbox mode only testers’ accounts can be connected.
      </>,
    ],
  ];
  const open = steps.filter(([, isMissing]) => isMissing);
  if (open.length === 0) return null;
  return (
    <Section title="Next steps">
      <ol className={classes.steps}>
        {open.map(([name, , text]) => (
          <li key={name}>{text}</li>
        ))}
      </ol>
    </Section>
  );
}
