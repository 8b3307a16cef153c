import { DataTable } from "../../ui/DataTable.tsx";
import { SeenInStep } from "../../ui/SeenInStep.tsx";
import { ActivityPart } from "./ActivityPart.tsx";
import { type ChartData, totalOf } from "./chartData.ts";
import { versionStepSeconds, versionsOf } from "./versionRows.ts";

const NOTE = "As the backend’s requests name them. Counted by hour.";

/** Which libraries and versions the client's backend calls the service with. */
export function ClientVersions({ data }: { readonly data: ChartData }) {
  const hours = versionStepSeconds(data.times) / 3_600;
  return (
    <ActivityPart title="SDK versions" note={NOTE} isEmpty={data.lines.length === 0}>
      <DataTable
        caption="Calls by library and version, the most frequent first"
        rows={versionsOf(data)}
        rowKey={({ line }) => line.label}
        columns={[
          { header: "Library", cell: ({ library }) => library },
          { header: "Version", cell: ({ version }) => version },
          { header: "Calls", cell: ({ line }) => totalOf(line).toLocaleString("en") },
          { header: "Last seen", cell: ({ seenUntil }) => <SeenInStep until={seenUntil} hours={hours} /> },
        ]}
      />
    </ActivityPart>
  );
}
