import { Button, TextInput } from "@mantine/core";
import { CONNECTION_STATUSES, JOB_ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { SHOWN_CAUSES, STORED_SYNC_STATUSES } from "@social-connect/domain";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { RegistrationChoicesDocument } from "../../_generated/connections.ts";
import { request } from "../../api/request.ts";
import { ClientFilter, Filter, TextFilter } from "../../filters/filters.tsx";
import { PLAIN_TEXT } from "../../forms/plainText.ts";
import { AGES, type ConnectionsSearch, connectionsSearch, filtersOf } from "../../ui/connectionsSearch.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { CONNECTION_STATES } from "../health/labels.ts";
import classes from "./ConnectionFilters.module.css";
import { isFiltered, NO_USER, type SoughtUser } from "./filterOf.ts";
import { CAUSE_LABELS, SCAN_STATES } from "./labels.ts";

interface ConnectionFiltersProps {
  readonly search: ConnectionsSearch;
  readonly sought: SoughtUser;
  readonly onChange: (search: ConnectionsSearch, sought: SoughtUser) => void;
}

const AGE_CHOICES = Object.entries(AGES).map(([value, { label }]) => ({ value, label }));

/** The filters of most questions are in view; the others, and all on a phone, open with a button. */
export function ConnectionFilters({ search, sought, onChange }: ConnectionFiltersProps) {
  const { provider, status, cause, client, ...rarely } = filtersOf(search);
  const [isOpen, setIsOpen] = useState(Object.keys(rarely).length > 0);
  const id = useId();
  const set = (changed: Partial<Record<keyof ConnectionsSearch, string | null>>) =>
    onChange(connectionsSearch({ ...search, ...changed }), sought);
  const seek = (changed: Partial<SoughtUser>) => onChange(search, { ...sought, ...changed });
  return (
    <search className={classes.filters} aria-label="Connection filters" data-open={isOpen || undefined}>
      <div id={id} className={classes.fields}>
        <Filter
          label="Provider"
          clearLabel="Any provider"
          searchable={false}
          data={SOCIAL_PROVIDERS.map((one) => ({ value: one, label: PROVIDER_NAMES[one] }))}
          value={provider ?? null}
          onChange={(value) => set({ provider: value })}
        />
        <Filter
          label="Status"
          clearLabel="Any status"
          searchable={false}
          data={CONNECTION_STATUSES.map((one) => ({ value: one, label: CONNECTION_STATES[one].label }))}
          value={status ?? null}
          onChange={(value) => set({ status: value })}
        />
        <Filter
          label="Cause"
          clearLabel="Any cause"
          data={SHOWN_CAUSES.map((one) => ({ value: one, label: CAUSE_LABELS[one] }))}
          value={cause ?? null}
          onChange={(value) => set({ cause: value })}
        />
        <ClientFilter value={client ?? null} onChange={(value) => set({ client: value, tenant: null })} />
        {isOpen && (
          <>
            {client !== undefined && (
              <>
                <TextFilter label="Tenant" value={search.tenant ?? ""} onChange={(tenant) => set({ tenant })} />
                <SoughtFilter label="Handle" value={sought.handle} onChange={(handle) => seek({ handle })} />
              </>
            )}
            <SoughtFilter label="User" value={sought.user} onChange={(user) => seek({ user })} />
            <Filter
              label="Since"
              clearLabel="Since any time"
              searchable={false}
              data={AGE_CHOICES}
              value={search.since ?? null}
              onChange={(since) => set({ since })}
            />
            <RegistrationFilter
              value={search.registration ?? null}
              onChange={(registration) => set({ registration })}
            />
            <Filter
              label="Latest scan"
              clearLabel="Any scan"
              searchable={false}
              data={STORED_SYNC_STATUSES.map((one) => ({ value: one, label: SCAN_STATES[one].label }))}
              value={search.scan ?? null}
              onChange={(scan) => set({ scan })}
            />
            <Filter
              label="Code"
              clearLabel="Any code"
              data={[...JOB_ERROR_CODES]}
              value={search.code ?? null}
              onChange={(code) => set({ code })}
            />
            <Filter
              label="Consent"
              clearLabel="Any consent"
              searchable={false}
              data={[{ value: "ending", label: "Ends within 7 days (the first 1,000)" }]}
              value={search.consent ?? null}
              onChange={(consent) => set({ consent })}
            />
            <Filter
              label="Linked"
              clearLabel="Linked at any time"
              searchable={false}
              data={AGE_CHOICES}
              value={search.age ?? null}
              onChange={(age) => set({ age })}
            />
          </>
        )}
      </div>
      <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "Fewer filters" : "All filters"}
      </Button>
      {isFiltered(search, sought) && (
        <Button variant="subtle" onClick={() => onChange(connectionsSearch({ by: search.by }), NO_USER)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface SoughtFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Compared as a whole and recorded each time, so the list waits for Enter or for the focus to leave. */
function SoughtFilter({ label, value, onChange }: SoughtFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = () => text.trim() !== value && onChange(text.trim());
  return (
    <TextInput
      label={label}
      placeholder="Any"
      {...PLAIN_TEXT}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={({ key }) => key === "Enter" && submit()}
    />
  );
}

interface RegistrationFilterProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

function RegistrationFilter({ value, onChange }: RegistrationFilterProps) {
  const { data = [] } = useQuery({
    queryKey: ["registrations", "choices"],
    queryFn: async () => (await request(RegistrationChoicesDocument)).registrations,
  });
  return (
    <Filter
      label="Registration"
      clearLabel="Any registration"
      data={data.map(({ id, provider, clientIdHint }) => ({
        value: id,
        label: `${PROVIDER_NAMES[provider]}, ${clientIdHint}`,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
