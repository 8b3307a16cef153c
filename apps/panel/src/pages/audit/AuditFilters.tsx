import { Button, TextInput } from "@mantine/core";
import { asUuid } from "@social-connect/domain";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AuditChoicesDocument } from "../../_generated/audit.ts";
import { request } from "../../api/request.ts";
import classes from "../../filters/filters.module.css";
import { ClientFilter, Filter, including, TextFilter } from "../../filters/filters.tsx";
import { shortKeyId } from "../../ui/labels.ts";
import { FILTER_LABELS } from "./filterLabels.ts";
import type { AuditSearch } from "./search.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** Filters by actor, key, client, action, target and day. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const choices = useQuery({ queryKey: ["audit", "choices"], queryFn: () => request(AuditChoicesDocument) });
  const set = (changed: Partial<Record<keyof AuditSearch, string | null>>) => {
    const next = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== null && value !== "");
    onChange(Object.fromEntries(next));
  };
  const isInverted = search.from !== undefined && search.to !== undefined && search.to < search.from;
  return (
    <search className={classes.filters} aria-label="Audit log filters">
      <ActorFilter
        value={search.actor ?? null}
        emails={choices.data?.adminMembers.map(({ email }) => email) ?? []}
        onChange={(actor) => set({ actor })}
      />
      <KeyFilter value={search.key ?? null} keys={choices.data?.apiKeys.items ?? []} onChange={(key) => set({ key })} />
      <ClientFilter value={search.client ?? null} onChange={(client) => set({ client })} />
      <Filter
        label={FILTER_LABELS.action}
        clearLabel="Any action"
        data={including([...(choices.data?.auditActions ?? [])], search.action)}
        value={search.action ?? null}
        onChange={(action) => set({ action })}
      />
      <Filter
        label={FILTER_LABELS.targetType}
        clearLabel="Any target"
        searchable={false}
        data={TARGET_TYPES}
        value={search.type ?? null}
        onChange={(type) => set({ type })}
      />
      <TextFilter label={FILTER_LABELS.targetId} value={search.target ?? ""} onChange={(target) => set({ target })} />
      <TextInput
        type="date"
        label={FILTER_LABELS.from}
        value={search.from ?? ""}
        max={search.to}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={FILTER_LABELS.to}
        value={search.to ?? ""}
        min={search.from}
        error={isInverted && "This day is before the first one."}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})} className={classes.clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

const TARGET_TYPES = [
  { value: "CLIENT", label: "Client" },
  { value: "REGISTRATION", label: "Registration" },
  { value: "API_KEY", label: "Admin key" },
  { value: "ADMIN", label: "Admin" },
  { value: "CONNECTION", label: "Connection" },
  { value: "JOB", label: "Job" },
];

interface ActorFilterProps {
  readonly value: string | null;
  readonly emails: readonly string[];
  readonly onChange: (actor: string | null) => void;
}

/** Selects an admin, the service itself, or an email address that is no longer on the list of admins. */
function ActorFilter({ value, emails, onChange }: ActorFilterProps) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const known = [...emails, "System"];
  return (
    <Filter
      label={FILTER_LABELS.actor}
      clearLabel="Any actor"
      data={including(including(known, value ?? undefined), typed.includes("@") ? typed : undefined)}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
      nothingFoundMessage="No matching admin. Type the complete email address."
    />
  );
}

interface KeyFilterProps {
  readonly value: string | null;
  readonly keys: readonly { readonly id: string; readonly label: string; readonly createdBy: string }[];
  readonly onChange: (id: string | null) => void;
}

/** Selects one of the newest keys by its label, or any key by its full id. */
function KeyFilter({ value, keys, onChange }: KeyFilterProps) {
  const [text, setText] = useState("");
  const known = keys.map(({ id, label }) => ({ value: id, label: `${label} (${shortKeyId(id)})` }));
  const unlisted = [value, asUuid(text.trim())]
    .filter((id) => id !== null)
    .filter((id, index, ids) => !keys.some((key) => key.id === id) && ids.indexOf(id) === index)
    .map((id) => ({ value: id, label: `Key ${shortKeyId(id)}` }));
  return (
    <Filter
      label={FILTER_LABELS.apiKeyId}
      clearLabel="Any key"
      placeholder="Any, or a key's id"
      data={[...known, ...unlisted]}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
      filter={({ options, search }) => {
        const wanted = search.trim().toLowerCase();
        return options.filter(
          (option) => "value" in option && `${option.label} ${option.value}`.toLowerCase().includes(wanted),
        );
      }}
      nothingFoundMessage="No matching key. Paste the full key id."
    />
  );
}
