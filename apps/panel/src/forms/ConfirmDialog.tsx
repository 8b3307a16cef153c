import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useEffect, useState } from "react";
import { ConfirmationNote } from "../confirmation/ConfirmationNote.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { FailureNote } from "../ui/FailureNote.tsx";
import { useAction } from "./useAction.ts";

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A question, e.g. “Disable Acme?”. */
  readonly title: string;
  /** What will happen, one sentence each. */
  readonly consequences: readonly ReactNode[];
  /** Has to be typed before it can be done; null for what can be made undone at once. */
  readonly nameToType: string | null;
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<unknown>;
  /** It brings something back. */
  readonly isHarmless?: boolean;
  /** Where it may need a confirmation: what opens this dialog again afterwards, and what was typed into it before. */
  readonly confirmation?: { readonly name: string; readonly values: object; readonly typed: string };
}

/** Says what will happen and, where that cannot be taken back, asks for the name of the thing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, consequences, nameToType, confirmLabel, onConfirm, isHarmless = false } = props;
  const { confirmation } = props;
  const [typed, setTyped] = useState("");
  const action = useAction(
    onConfirm,
    confirmation && (() => ({ name: confirmation.name, values: { ...confirmation.values, typed } })),
  );
  const { clearFailure } = action;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that is opened again starts anew
  useEffect(() => {
    if (!isOpen) return;
    setTyped(confirmation?.typed ?? "");
    clearFailure();
  }, [isOpen]);
  const isNamed = nameToType === null || typed.trim() === nameToType;
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
          {nameToType !== null && (
            <TextInput
              label={
                <>
                  Type <strong>{nameToType}</strong> to go on
                </>
              }
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              data-autofocus
            />
          )}
          {confirmation !== undefined && <ConfirmationNote />}
          {action.failure !== null && <FailureNote failure={action.failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={nameToType === null || undefined}>
              Cancel
            </Button>
            <Button type="submit" {...(isHarmless ? {} : { color: "red" })} loading={action.isBusy} disabled={!isNamed}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
