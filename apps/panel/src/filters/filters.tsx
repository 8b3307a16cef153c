import { Select, type SelectProps, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ClientChoicesDocument } from "../_generated/filters.ts";
import { request } from "../api/request.ts";
import { PLAIN_TEXT } from "../forms/plainText.ts";
import { CHOICES } from "../ui/choices.ts";

const TYPING_MS = 200;

/** A searchable filter; `clearLabel` labels the button that clears it. */
export function Filter({ clearLabel, ...props }: SelectProps & { readonly clearLabel: string }) {
  const clearButtonProps = { "aria-label": clearLabel };
  return <Select placeholder="Any" {...CHOICES} searchable clearable clearButtonProps={clearButtonProps} {...props} />;
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A text can be pasted or typed; the list changes after a pause. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const change = useDebouncedCallback(onChange, TYPING_MS);
  // A link or Back may change the filter.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  return (
    <TextInput
      label={label}
      placeholder="Any"
      {...PLAIN_TEXT}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        change(event.currentTarget.value.trim());
      }}
    />
  );
}

interface ClientFilterProps {
  readonly value: string | null;
  readonly onChange: (slug: string | null) => void;
}

/** Searched by the service, because the list of clients can be long. */
export function ClientFilter({ value, onChange }: ClientFilterProps) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: ["client choices", wanted],
    queryFn: async () => (await request(ClientChoicesDocument, { text: wanted })).page.items,
    placeholderData: keepPreviousData,
  });
  const options = (found.data ?? []).map(({ slug }) => slug);
  return (
    <Filter
      label="Client"
      clearLabel="Any client"
      data={including(options, value ?? undefined)}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
      // Already filtered by the service, which also searches names.
      filter={({ options: all }) => all}
      nothingFoundMessage="No matching client"
    />
  );
}

/** Adds the selected value to the options if they do not contain it. */
export function including(options: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || options.includes(chosen) ? [...options] : [...options, chosen];
}
