import { Box, Text } from "@mantine/core";
import { DELIVERY_PROBLEMS } from "@social-connect/domain";
import type { ClientEventFragment, EventDeliveryStatus } from "../../_generated/clientEvents.ts";
import { hostOf } from "../../ui/eventEndpoints.ts";
import { type Status, StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";

interface DeliveryProps {
  readonly delivery: ClientEventFragment["deliveries"][number];
  /** The endpoint's URL, if there are several. */
  readonly url?: string | undefined;
}

/** Whether one endpoint has accepted an event, why not, and when it is tried next. */
export function Delivery({ delivery, url }: DeliveryProps) {
  const { status, tries, nextTryAt, lastTriedAt, responseStatus, problem } = delivery;
  const answer = responseStatus === null ? null : `HTTP ${responseStatus}`;
  return (
    <Box mb={6}>
      <StatusBadge {...deliveryState(status, tries)} />
      <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
        {url !== undefined && <div translate="no">{hostOf(url)}</div>}
        {problem !== null && <div>{describeProblem(problem, responseStatus)}</div>}
        {tries > 0 && (
          <div>
            {tries === 1 ? "1 try" : `${tries} tries`}
            {problem === null && answer !== null && `, ${answer}`}
            {status !== "WAITING" && (
              <>
                , <Timestamp at={lastTriedAt} />
              </>
            )}
          </div>
        )}
        {status === "WAITING" && nextTryAt !== null && (
          <div>
            Next try <Timestamp at={nextTryAt} />
          </div>
        )}
      </Text>
    </Box>
  );
}

function deliveryState(status: EventDeliveryStatus, tries: number): Status {
  if (status === "SUCCEEDED") return { label: "Delivered", tone: "good" };
  if (status === "FAILED") return { label: "Failed", tone: "bad" };
  return tries === 0 ? { label: "Waiting", tone: "idle" } : { label: "Retrying", tone: "waiting" };
}

/** Why a try failed, for people. */
function describeProblem(problem: string, responseStatus: number | null): string {
  if (problem === "STATUS" && responseStatus !== null) return `The receiver answered with HTTP ${responseStatus}.`;
  return (DELIVERY_PROBLEMS as Readonly<Record<string, string>>)[problem] ?? "Unknown problem.";
}
