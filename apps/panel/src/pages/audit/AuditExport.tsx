import { IconDownload } from "@tabler/icons-react";
import { ActionMenu } from "../../ui/ActionMenu.tsx";
import { notifyDone, notifyFailure } from "../../ui/notify.ts";
import { downloadAuditLog } from "./downloadAuditLog.ts";
import { nameFilter } from "./filterLabels.ts";
import type { AuditSearch } from "./search.ts";

const FORMATS = [
  { format: "csv", label: "CSV" },
  { format: "jsonl", label: "JSON lines" },
] as const;

/** Downloads what the filters show. */
export function AuditExport({ search }: { readonly search: AuditSearch }) {
  const download = async (format: (typeof FORMATS)[number]["format"]) => {
    const { entries, isLimited } = await downloadAuditLog(format, search);
    const count = `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
    notifyDone(
      isLimited ? `The newest ${count} were exported. Filter by date to export older ones.` : `${count} exported.`,
    );
  };
  return (
    <ActionMenu
      label="Export"
      isLabeled
      icon={<IconDownload size={17} aria-hidden />}
      items={FORMATS.map(({ format, label }) => ({
        label,
        onSelect: () => void download(format).catch((error) => notifyFailure(nameFilter(error).message)),
      }))}
    />
  );
}
