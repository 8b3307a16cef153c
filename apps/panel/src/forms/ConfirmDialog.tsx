import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { ConfirmationNote } from "../confirmation/ConfirmationNote.tsx";
import { ActionButton } from "../ui/ActionButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { FailureNote } from "../ui/FailureNote.tsx";
import { shownText } from "../ui/shownText.ts";
import { PLAIN_TEXT } from "./plainText.ts";
import { useAction } from "./useAction.ts";

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A question, e.g. “Disable Acme?”. */
  readonly title: string;
  /** One sentence each. */
  readonly consequences: readonly ReactNode[];
  /** The text that the user must type; null for an operation that can be undone. */
  readonly nameToType: string | null;
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<unknown>;
  /** Further fields. */
  readonly children?: ReactNode;
  /** Whether they are valid. */
  readonly isReady?: boolean;
  /** The operation only restores something. */
  readonly isHarmless?: boolean;
  /** For operations that may need a confirmation: the draft that reopens this dialog afterwards. */
  readonly confirmation?: { readonly name: string; readonly values: object; readonly typed: string };
}

/** Lists the consequences and, for an irreversible operation, requires the name to be typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, consequences, nameToType, confirmLabel, onConfirm, isHarmless = false } = props;
  const { confirmation, children, isReady = true } = props;
  const [typed, setTyped] = useState("");
  const action = useAction(onConfirm, {
    draftOf: confirmation && (() => ({ name: confirmation.name, values: { ...confirmation.values, typed } })),
  });
  const { clearFailure } = action;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening the dialog resets it
  useEffect(() => {
    if (!isOpen) return;
    setTyped(confirmation?.typed ?? "");
    clearFailure();
  }, [isOpen]);
  const isNamed = isReady && (nameToType === null || isSameText(typed, nameToType));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isNamed && (await action.run())) onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          {consequences.length === 1 ? (
            <Text component="div">{consequences[0]}</Text>
          ) : (
            <Text component="ul" m={0} pl={20}>
              {consequences.map((consequence, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
                <li key={index}>{consequence}</li>
              ))}
            </Text>
          )}
          {children}
          {nameToType !== null && (
            <TextInput
              label={
                <>
                  Type <strong>{shownText(nameToType)}</strong> to confirm
                </>
              }
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              {...PLAIN_TEXT}
              data-autofocus
            />
          )}
          {confirmation !== undefined && <ConfirmationNote />}
          {action.failure !== null && <FailureNote failure={action.failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={nameToType === null || undefined}>
              Cancel
            </Button>
            <ActionButton
              type="submit"
              {...(isHarmless ? {} : { color: "red" })}
              isBusy={action.isBusy}
              disabled={!isNamed}
            >
              {confirmLabel}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** A field cannot take every text: an id may have line breaks, outer spaces, or letters that a keyboard composes differently. */
function isSameText(typed: string, wanted: string): boolean {
  const [one, other] = [typed, wanted].map((text) => text.normalize("NFC").replace(/\s+/g, ""));
  return typed === wanted || typed === shownText(wanted) || (other !== "" && one === other);
}
