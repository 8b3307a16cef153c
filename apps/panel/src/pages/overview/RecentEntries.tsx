import { Box, Text } from "@mantine/core";
import { LIMITS } from "@social-connect/contract";
import { durationText } from "@social-connect/domain";
import { useQuery } from "@tanstack/react-query";
import { RecentEntriesDocument } from "../../_generated/overview.ts";
import { request } from "../../api/request.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import classes from "../../ui/rows.module.css";
import { Section } from "../../ui/Section.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { useLive } from "../../ui/useLive.ts";

/** The newest entries of the audit log. */
export function RecentEntries() {
  const query = useQuery({
    queryKey: ["audit", "recent"],
    queryFn: async () => (await request(RecentEntriesDocument)).page.items,
  });
  useLive(query);
  return (
    <Section
      title="Recent activity"
      actions={
        <LinkButton to="/audit" search={{}} variant="default" size="xs">
          Audit log
        </LinkButton>
      }
    >
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState title={`No changes in the last ${durationText(LIMITS.auditRetentionMs)}`} />
          ) : (
            <ul className={classes.rows}>
              {entries.map(({ id, at, actor, summary }) => (
                <Box component="li" key={id} py={9} style={{ overflowWrap: "anywhere" }}>
                  <Text size="sm">{summary}</Text>
                  <Text size="xs" c="dimmed">
                    {actor},{" "}
                    <LinkTo to="/audit/$entryId" params={{ entryId: id }} size="xs">
                      <Timestamp at={at} />
                    </LinkTo>
                  </Text>
                </Box>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
