import { Button } from "@mantine/core";
import { CONNECTION_STATUSES, JOB_ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { STORED_SYNC_STATUSES } from "@social-connect/domain";
import { useQuery } from "@tanstack/react-query";
import { RegistrationChoicesDocument } from "../../_generated/connections.ts";
import { request } from "../../api/request.ts";
import classes from "../../filters/filters.module.css";
import { ClientFilter, Filter, TextFilter } from "../../filters/filters.tsx";
import { AGES, type ConnectionsSearch, connectionsSearch } from "../../ui/connectionsSearch.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { CONNECTION_STATES } from "../health/labels.ts";
import { SCAN_STATES } from "./labels.ts";

interface ConnectionFiltersProps {
  readonly search: ConnectionsSearch;
  readonly onChange: (search: ConnectionsSearch) => void;
}

export function ConnectionFilters({ search, onChange }: ConnectionFiltersProps) {
  const set = (changed: Partial<Record<keyof ConnectionsSearch, string | null>>) =>
    onChange(connectionsSearch({ ...search, ...changed }));
  return (
    <search className={classes.filters} aria-label="Connection filters">
      <Filter
        label="Provider"
        clearLabel="Any provider"
        searchable={false}
        data={SOCIAL_PROVIDERS.map((provider) => ({ value: provider, label: PROVIDER_NAMES[provider] }))}
        value={search.provider ?? null}
        onChange={(provider) => set({ provider })}
      />
      <RegistrationFilter value={search.registration ?? null} onChange={(registration) => set({ registration })} />
      <Filter
        label="Status"
        clearLabel="Any status"
        searchable={false}
        data={CONNECTION_STATUSES.map((status) => ({ value: status, label: CONNECTION_STATES[status].label }))}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
      />
      <Filter
        label="Latest scan"
        clearLabel="Any scan"
        searchable={false}
        data={STORED_SYNC_STATUSES.map((status) => ({ value: status, label: SCAN_STATES[status].label }))}
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
      <ClientFilter value={search.client ?? null} onChange={(client) => set({ client, tenant: null })} />
      {search.client !== undefined && (
        <TextFilter label="Tenant" value={search.tenant ?? ""} onChange={(tenant) => set({ tenant })} />
      )}
      <Filter
        label="Linked"
        clearLabel="Linked at any time"
        searchable={false}
        data={Object.entries(AGES).map(([value, { label }]) => ({ value, label }))}
        value={search.age ?? null}
        onChange={(age) => set({ age })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})} className={classes.clear}>
          Clear filters
        </Button>
      )}
    </search>
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
