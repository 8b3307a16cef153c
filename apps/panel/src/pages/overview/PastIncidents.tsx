import { Text } from "@mantine/core";
import { Section } from "../../ui/Section.tsx";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { describeIncident, type Incident } from "./incidentTexts.ts";
import classes from "./RecentEntries.module.css";

/** Incidents that ended in the last 24 hours. */
export function PastIncidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const ended = incidents.filter(({ endedAt }) => endedAt !== null);
  if (ended.length === 0) return null;
  return (
    <Section title="Ended incidents" description="Of the last 24 hours. They need no attention.">
      <ul className={classes.entries}>
        {ended.map((incident) => {
          const { title, detail } = describeIncident(incident, serviceTime());
          return (
            <li key={incident.id} className={classes.entry}>
              <Text size="sm" c="dimmed">
                {title}
              </Text>
              <Text size="xs" c="dimmed">
                {detail}
              </Text>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
