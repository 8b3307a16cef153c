import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { download } from "../../api/download.ts";
import { asFailure } from "../../api/failure.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { notifyDone, notifyFailure } from "../../ui/notify.ts";

interface ConnectionsExportProps {
  /** The arguments of the list. */
  readonly list: Readonly<Record<string, string | boolean | null | undefined>>;
}

/** Downloads what the list shows, in its order. */
export function ConnectionsExport({ list }: ConnectionsExportProps) {
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    try {
      const set = Object.entries(list).filter(([, value]) => value != null && value !== false);
      const form = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
      const headers = await download("/panel/connections-export", "connections.csv", form);
      const count = Number(headers.get("x-export-entries")).toLocaleString("en");
      notifyDone(
        headers.get("x-export-limited") === "true"
          ? `The first ${count} connections were exported. Filter to export the others.`
          : `${count} ${count === "1" ? "connection" : "connections"} exported.`,
      );
    } catch (error) {
      notifyFailure(asFailure(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <ActionButton
      variant="default"
      isBusy={isBusy}
      onClick={() => void save()}
      leftSection={<IconDownload size={17} aria-hidden />}
    >
      Export CSV
    </ActionButton>
  );
}
