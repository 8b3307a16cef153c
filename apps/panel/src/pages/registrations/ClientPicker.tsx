import { MultiSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ServedClientsDocument } from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";
import { CHOICES } from "../../ui/choices.ts";
import type { RegistrationValues } from "./registrationValues.ts";

interface NamedClient {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
}

interface ClientPickerProps {
  readonly form: UseFormReturnType<RegistrationValues>;
  /** The clients that are already selected. */
  readonly known: readonly NamedClient[];
}

const TYPING_MS = 200;

/** Selects clients by name or slug. The service searches; names that were found once are cached. */
export function ClientPicker({ form, known }: ClientPickerProps) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: ["registrations", "clients", wanted],
    queryFn: async () => (await request(ServedClientsDocument, { text: wanted })).page.items,
    placeholderData: keepPreviousData,
  });
  const labels = useRef(new Map<string, string>());
  for (const { id, slug, displayName } of [...known, ...(found.data ?? [])]) {
    labels.current.set(id, `${displayName} (${slug})`);
  }
  const offered = [...new Set([...form.values.clientIds, ...(found.data ?? []).map(({ id }) => id)])];
  return (
    <MultiSelect
      label="Clients"
      required
      placeholder="Search for a client"
      data={offered.map((id) => ({ value: id, label: labels.current.get(id) ?? id }))}
      onSearchChange={setText}
      // Already filtered by the service.
      filter={({ options }) => options}
      nothingFoundMessage="No matching client"
      {...CHOICES}
      searchable
      hidePickedOptions
      {...form.getInputProps("clientIds")}
    />
  );
}
