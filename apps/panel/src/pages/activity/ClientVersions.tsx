import { Text } from "@mantine/core";
import { DataTable } from "../../ui/DataTable.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { type ChartData, totalOf } from "./chartData.ts";
import classes from "./TimeChart.module.css";
import { versionsOf } from "./versionRows.ts";

/** Which libraries and versions the client's backend calls the service with. */
export function ClientVersions({ data }: { readonly data: ChartData }) {
  return (
    <div className={classes.part}>
      <Text component="h3" fw={600} size="sm" m={0}>
        SDK versions
      </Text>
      <Text size="sm" c="dimmed">
        As the backend’s requests name them. Counted by hour.
      </Text>
      {data.lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was counted in this range.
        </Text>
      ) : (
        <DataTable
          caption="Calls by library and version, the most frequent first"
          rows={versionsOf(data)}
          rowKey={({ line }) => line.label}
          columns={[
            { header: "Library", isRowHeader: true, cell: ({ library }) => library },
            { header: "Version", cell: ({ version }) => version },
            { header: "Calls", cell: ({ line }) => totalOf(line).toLocaleString("en") },
            { header: "Last seen", cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
          ]}
        />
      )}
    </div>
  );
}
