import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { HealthDocument } from "../../_generated/health.ts";
import { request } from "../../api/request.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Attempts } from "./Attempts.tsx";
import { Connections } from "./Connections.tsx";
import { Jobs } from "./Jobs.tsx";

/**
 * Counts of connections, attempts and jobs. It is read anew when one asks for it and never by itself: a page that was left
 * open must not keep its session alive.
 */
export function HealthPage() {
  const query = useQuery({ queryKey: ["health"], queryFn: async () => (await request(HealthDocument)).overview });
  return (
    <>
      <PageHeader
        title="Health"
        description="How connections, attempts and jobs stand, by count. Whose they are is not told here."
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={17} aria-hidden />}
            loading={query.isRefetching}
            onClick={() => void query.refetch()}
          >
            Read anew
          </Button>
        }
      />
      <Loaded query={query} lines={10}>
        {({ overdueJobs, connections, connectAttempts, jobs }) => (
          <>
            {overdueJobs > 0 && <Overdue count={overdueJobs} />}
            <Connections counts={connections} />
            <Attempts counts={connectAttempts} />
            <Jobs counts={jobs} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Overdue({ count }: { readonly count: number }) {
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      mb="lg"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${count.toLocaleString("en")} ${count === 1 ? "job waits" : "jobs wait"} for a worker`}
    >
      Due for more than five minutes, and nobody takes them. Appearance whether a worker is running, and whether it
      reaches the database.
    </Alert>
  );
}
