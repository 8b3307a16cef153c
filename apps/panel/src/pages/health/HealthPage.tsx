import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { HealthDocument } from "../../_generated/health.ts";
import { request } from "../../api/request.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { useLive } from "../../ui/useLive.ts";
import { Activity } from "../activity/LazyActivity.tsx";
import { Attempts } from "./Attempts.tsx";
import { Connections } from "./Connections.tsx";
import { FailedScans } from "./FailedScans.tsx";
import { FailingEndpoints } from "./FailingEndpoints.tsx";
import { Jobs } from "./Jobs.tsx";

/** Counts of connections, attempts and jobs. */
export function HealthPage() {
  const query = useQuery({ queryKey: ["health"], queryFn: () => request(HealthDocument) });
  useLive(query);
  const queries = useQueryClient();
  const refresh = () => Promise.all([query.refetch(), queries.invalidateQueries({ queryKey: ["activity"] })]);
  return (
    <>
      <PageHeader
        title="Health"
        description="Counts of connections, attempts and jobs, without personal data."
        actions={
          <ActionButton
            variant="default"
            leftSection={<IconRefresh size={17} aria-hidden />}
            isBusy={query.isRefetching}
            onClick={() => void refresh()}
          >
            Refresh
          </ActionButton>
        }
      />
      <Loaded query={query} sections={[5, 4, 4, 8]}>
        {({ overview: { overdueJobs, connections, failedScans, connectAttempts, jobs }, failingEndpoints }) => (
          <>
            {overdueJobs > 0 && <Overdue count={overdueJobs} />}
            <FailingEndpoints endpoints={failingEndpoints} />
            <Connections counts={connections} />
            <FailedScans counts={failedScans} />
            <Attempts counts={connectAttempts} />
            <Jobs counts={jobs} />
            <Activity />
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
      title={`${count.toLocaleString("en")} ${count === 1 ? "job is" : "jobs are"} waiting for a worker`}
    >
      These jobs have been due for more than five minutes. Check that a worker is running and can connect to the
      database.
    </Alert>
  );
}
