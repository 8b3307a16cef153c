import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { OverviewDocument } from "../../_generated/overview.ts";
import { request } from "../../api/request.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section, SectionsBelow } from "../../ui/Section.tsx";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { useLive } from "../../ui/useLive.ts";
import { AttentionList } from "./AttentionList.tsx";
import { findAttention } from "./attention.ts";
import { PastIncidents } from "./PastIncidents.tsx";
import { RecentEntries } from "./RecentEntries.tsx";

export function OverviewPage() {
  const query = useQuery({ queryKey: ["overview"], queryFn: () => request(OverviewDocument) });
  useLive(query);
  return (
    <>
      <PageHeader
        title="Overview"
        description="Incidents, and what admins changed."
        actions={
          <LinkButton to="/health" variant="default">
            Counts and charts
          </LinkButton>
        }
      />
      <Loaded query={query} sections={[8]}>
        {(answer) => {
          const items = findAttention(answer, serviceTime());
          return (
            <>
              <Section
                title="Needs attention"
                actions={items.length > 0 && <Text size="sm" c="dimmed">{`${items.length}`}</Text>}
              >
                <AttentionList items={items} />
              </Section>
              <PastIncidents incidents={answer.overview.incidents} />
            </>
          );
        }}
      </Loaded>
      <SectionsBelow isShown={!query.isPending}>
        <RecentEntries />
      </SectionsBelow>
    </>
  );
}
