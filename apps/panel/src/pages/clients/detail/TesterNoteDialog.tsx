import { Button, Code, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ClientTestersQuery, SetClientTesterNoteDocument } from "../../../_generated/clients.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useChange } from "../../../forms/useChange.ts";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { clientTesters } from "../shared/queries.ts";
import { NOTE_FIELD } from "./AddTesterForm.tsx";
import { useClient } from "./useClient.ts";

type Tester = ClientTestersQuery["testers"][number];

interface TesterNoteDialogProps {
  /** null: the dialog is closed. */
  readonly tester: Tester | null;
  readonly onClose: () => void;
}

export function TesterNoteDialog({ tester, onClose }: TesterNoteDialogProps) {
  return (
    <Dialog isOpen={tester !== null} onClose={onClose} title="Change the note">
      {tester !== null && <TesterNoteForm tester={tester} onClose={onClose} />}
    </Dialog>
  );
}

function TesterNoteForm({ tester, onClose }: { readonly tester: Tester; readonly onClose: () => void }) {
  const { id } = useClient();
  const change = useChange(clientTesters(id).queryKey);
  const { provider, providerAccountId } = tester;
  const form = useForm({ initialValues: { note: tester.note ?? "" } });
  const submit = useSubmit(form, {
    name: `client-${id}-tester-note-${provider}-${providerAccountId}`,
    run: ({ note }) =>
      change(
        SetClientTesterNoteDocument,
        { id, provider, providerAccountId, note: note.trim() || null },
        "The note was changed.",
      ),
    onDone: onClose,
  });
  return (
    <SubmitForm
      submit={submit}
      label="Save note"
      gap="md"
      cancel={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <Text size="sm">
        The tester <Code translate="no">{providerAccountId}</Code>
      </Text>
      <TextInput {...NOTE_FIELD} data-autofocus {...form.getInputProps("note")} />
    </SubmitForm>
  );
}
