import { Box, Text } from "@mantine/core";
import classes from "../../ui/rows.module.css";
import { Section } from "../../ui/Section.tsx";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { describeIncident, type Incident } from "./incidentTexts.ts";

/** Incidents that ended in the last 24 hours. */
export function PastIncidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const ended = incidents.filter(({ endedAt }) => endedAt !== null);
  if (ended.length === 0) return null;
  return (
    <Section title="Ended incidents" description="The last 24 hours. They need no attention.">
      <ul className={classes.rows}>
        {ended.map((incident) => {
          const { title, detail } = describeIncident(incident, serviceTime());
          return (
            <Box component="li" key={incident.id} py={9} style={{ overflowWrap: "anywhere" }}>
              <Text size="sm" c="dimmed">
                {title}
              </Text>
              <Text size="xs" c="dimmed">
                {detail}
              </Text>
            </Box>
          );
        })}
      </ul>
    </Section>
  );
}
