import { Box, Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type Branding, LANGUAGES, type Language } from "@social-connect/domain";
import { useState } from "react";
import { readSession } from "../../../session/session.ts";
import type { Client } from "../shared/queries.ts";

const FRAME = "branding-preview";
const TYPING_MS = 300;
const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language" });
const PAGES = [
  { value: "pane", label: "Consent pane" },
  { value: "expired", label: "Error page" },
];
const PHONE = "390";
const WIDTHS = [
  { value: PHONE, label: "Phone" },
  { value: "560", label: "Popup" },
  { value: "1024", label: "Window" },
];

interface BrandingPreviewProps {
  readonly client: Client;
  readonly branding: Branding;
}

/** The page as the service renders it, before the values are saved. A new frame for each change adds nothing to the history. */
export function BrandingPreview({ client, branding }: BrandingPreviewProps) {
  const [page, setPage] = useState("pane");
  const [language, setLanguage] = useState<Language>("en");
  const [width, setWidth] = useState(PHONE);
  const { displayName, providers } = client;
  const values = { ...branding, displayName, provider: providers[0] ?? "PROVIDER_A", page, language };
  const [fields] = useDebouncedValue(JSON.stringify(values), TYPING_MS);
  return (
    <>
      <Group align="flex-end" mb="md">
        <NativeSelect
          label="Page"
          data={PAGES}
          value={page}
          onChange={({ currentTarget }) => setPage(currentTarget.value)}
        />
        <NativeSelect
          label="Language"
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES.of(value) ?? value }))}
          value={language}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
        />
        <SegmentedControl aria-label="Width" data={WIDTHS} value={width} onChange={setWidth} />
      </Group>
      <Box key={fields} component="section" aria-label="Page" tabIndex={0} style={{ overflowX: "auto" }}>
        <iframe
          name={FRAME}
          title="Preview of a page"
          sandbox=""
          width={width}
          height={760}
          style={{ border: "1px solid var(--panel-line)", ...(width === PHONE && { maxWidth: "100%" }) }}
        />
        <form ref={submitOnce} method="post" action="/panel/preview" target={FRAME} hidden>
          <input type="hidden" name="csrfToken" value={readSession()?.csrfToken ?? ""} />
          {Object.entries(JSON.parse(fields) as typeof values).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value ?? ""} />
          ))}
        </form>
      </Box>
    </>
  );
}

/** When React has added the form and the frame. */
function submitOnce(form: HTMLFormElement | null): void {
  form?.submit();
}
