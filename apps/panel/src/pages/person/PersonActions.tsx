import { Button, TextInput } from "@mantine/core";
import { checkPersonReason } from "@social-connect/domain";
import { useState } from "react";
import {
  ErasePersonDocument,
  type ErasePersonMutation,
  ErasureTouchDocument,
  type PersonDetailFragment,
} from "../../_generated/person.ts";
import { download } from "../../api/download.ts";
import { request, requestChange } from "../../api/request.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { CountedTouch } from "../../touched/CountedTouch.tsx";
import { ActionBar } from "../../ui/ActionBar.tsx";
import { notifyDone } from "../../ui/notify.ts";
import { shownText } from "../../ui/shownText.ts";
import { PERSON_DRAFT, type PersonAction, type PersonDraft } from "./personScope.ts";

/** What an erasure deleted immediately. */
export type Erased = Omit<Extract<ErasePersonMutation["result"], { __typename: "PersonErasure" }>, "person">;

interface PersonActionsProps {
  readonly person: PersonDetailFragment;
  /** A dialog from before a confirmation. */
  readonly draft: PersonDraft | null;
  readonly onErased: (person: PersonDetailFragment, erased: Erased) => void;
}

export function PersonActions({ person, draft, onErased }: PersonActionsProps) {
  const [open, setOpen] = useState<PersonAction | null>(draft?.action ?? null);
  const [reason, setReason] = useState(draft?.reason ?? "");
  const { clientSlug, tenantKey, externalSubjectId } = person;
  const scope = { clientSlug, tenantKey, externalSubjectId };
  const refusal = reason.trim() === "" ? null : checkPersonReason({ reason: reason.trim(), externalSubjectId });
  const dialog = (action: PersonAction) => ({
    isOpen: open === action,
    onClose: () => setOpen(null),
    isReady: reason.trim() !== "" && refusal === null,
    confirmation: { name: PERSON_DRAFT, values: { ...scope, action, reason }, typed: draft?.typed ?? "" },
  });
  const field = (
    <TextInput
      label="Reason"
      description="For the audit log, which outlives the data: a ticket or a few words, without the user’s id."
      required
      data-autofocus
      value={reason}
      error={refusal?.message}
      onChange={(event) => setReason(event.currentTarget.value)}
    />
  );
  const readTouch = async () => (await request(ErasureTouchDocument, scope)).person?.touchedByErasure ?? [];
  const exportAll = async () => {
    const form = new URLSearchParams({ ...scope, reason: reason.trim() });
    await download("/panel/person-export", "person.json", form);
    notifyDone("The user’s data was exported.");
  };
  const erase = async () => {
    const { person: left, ...erased } = await requestChange(ErasePersonDocument, { ...scope, reason: reason.trim() });
    onErased(left, erased);
    notifyDone("The erasure was started.");
  };
  return (
    <>
      <ActionBar about={`${shownText(externalSubjectId)} of ${clientSlug}`}>
        <Button onClick={() => setOpen("export")}>Export</Button>
        <Button variant="default" onClick={() => setOpen("erase")}>
          Erase everything
        </Button>
      </ActionBar>
      <ConfirmDialog
        {...dialog("export")}
        title="Export what is stored about this user?"
        consequences={[
          "You get a signed JSON file with every stored field and its meaning, and without tokens. It has personal data: give it to the user only.",
        ]}
        nameToType={null}
        confirmLabel="Export"
        isHarmless
        onConfirm={exportAll}
      >
        {field}
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog("erase")}
        title="Erase everything about this user?"
        consequences={[
          <CountedTouch key="touched" queryKey={["erasureTouch", scope]} read={readTouch} />,
          "Every account is disconnected, the permission at each provider is revoked, and all stored data is erased.",
          "Other users’ connections to these accounts must be connected again if the provider ends their permission too.",
          "Receipts that count the erased rows stay for 7 days. It cannot be undone.",
        ]}
        nameToType={externalSubjectId}
        confirmLabel="Erase everything"
        onConfirm={erase}
      >
        {field}
      </ConfirmDialog>
    </>
  );
}
