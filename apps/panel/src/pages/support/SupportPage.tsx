import { Autocomplete, type AutocompleteProps, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { MOST_PEOPLE } from "@social-connect/domain";
import { useQueryClient } from "@tanstack/react-query";
import { SearchConnectionsDocument } from "../../_generated/support.ts";
import { request } from "../../api/request.ts";
import { PLAIN_TEXT } from "../../forms/plainText.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { CHOICES } from "../../ui/choices.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import classes from "../../ui/Section.module.css";
import { Section, SectionColumns } from "../../ui/Section.tsx";
import { useResultsInView } from "../../ui/useResultsInView.ts";
import { connectionsKey, ReferenceResults, scopeOf, UserResults } from "./SearchResults.tsx";
import { type SupportSearch, useSupportSearch } from "./search.ts";
import { useSuggestions } from "./useSuggestions.ts";

export function SupportPage() {
  const [search, show] = useSupportSearch();
  const results = useResultsInView(search);
  return (
    <>
      <PageHeader
        title="Support"
        description="Find a user’s connection and why its posts do not update. Opening a connection needs a reason and is in the audit log."
      />
      <SectionColumns>
        <Section title="By user">
          <UserForm search={search} onSearch={show} />
        </Section>
        <Section title="By id">
          <ReferenceForm search={search} onSearch={show} />
        </Section>
      </SectionColumns>
      {search !== null && (
        <div ref={results} className={classes.below}>
          {search.kind === "user" ? <UserResults search={search} /> : <ReferenceResults id={search.id} />}
        </div>
      )}
    </>
  );
}

interface FormProps {
  readonly search: SupportSearch | null;
  readonly onSearch: (search: SupportSearch | null) => void;
}

/** A combobox whose options are suggestions. They are filtered already, because the service also searches names. */
const SUGGESTIONS = {
  ...CHOICES,
  ...PLAIN_TEXT,
  limit: MOST_PEOPLE,
  filter: ({ options }) => options,
} as const satisfies AutocompleteProps;

const ENTER = "Enter a value.";
const REQUIRED = (value: string) => (value.trim() === "" ? ENTER : null);

function UserForm({ search, onSearch }: FormProps) {
  const queries = useQueryClient();
  const form = useForm({
    initialValues:
      search?.kind === "user" ? fieldsOf(search) : { clientSlug: "", tenantKey: "", externalSubjectId: "" },
    validate: { clientSlug: REQUIRED, externalSubjectId: (id) => (id === "" ? ENTER : null) },
  });
  const submit = useSubmit(form, {
    name: "support-user",
    run: async (values) => {
      const next = { kind: "user", ...values, clientSlug: values.clientSlug.trim() } as const;
      // Results of an earlier search must not appear below an error of this one.
      onSearch(null);
      const { page } = await request(SearchConnectionsDocument, scopeOf(next));
      // The results are shown without a second request, which would be a second entry in the audit log.
      queries.setQueryData(connectionsKey(next), { pages: [page], pageParams: [null] });
      onSearch(next);
    },
  });
  const { names, clients, tenants, users } = useSuggestions(form.values);
  return (
    <SubmitForm submit={submit} label="Search" gap="md">
      <Autocomplete
        label="Client"
        description="Its name or slug"
        required
        {...SUGGESTIONS}
        data={clients}
        renderOption={({ option: { value } }) => (
          <span>
            {names.get(value)}{" "}
            <Text span size="xs" c="dimmed">
              {value}
            </Text>
          </span>
        )}
        {...form.getInputProps("clientSlug")}
      />
      <Autocomplete
        label="Tenant"
        description="May be empty if the client has one tenant"
        {...SUGGESTIONS}
        data={tenants}
        {...form.getInputProps("tenantKey")}
      />
      <Autocomplete
        label="User"
        description="The client’s id of its user (externalSubjectId)"
        required
        {...SUGGESTIONS}
        data={users}
        {...form.getInputProps("externalSubjectId")}
        // A user who was chosen is searched for.
        onOptionSubmit={(id) => {
          form.setFieldValue("externalSubjectId", id);
          submit.onSubmit();
        }}
      />
    </SubmitForm>
  );
}

function fieldsOf({ clientSlug, tenantKey, externalSubjectId }: Extract<SupportSearch, { kind: "user" }>) {
  return { clientSlug, tenantKey, externalSubjectId };
}

function ReferenceForm({ search, onSearch }: FormProps) {
  const form = useForm({
    initialValues: { id: search?.kind === "id" ? search.id : "" },
    validate: { id: REQUIRED },
  });
  const submit = useSubmit(form, {
    name: "support-id",
    run: async ({ id }) => onSearch({ kind: "id", id: id.trim() }),
  });
  return (
    <SubmitForm submit={submit} label="Find" gap="md" isSecondary>
      <TextInput
        label="Id"
        description="The id of a connection, a connect attempt, a job or a request (correlation id), or its first eight digits"
        required
        {...PLAIN_TEXT}
        {...form.getInputProps("id")}
      />
    </SubmitForm>
  );
}
