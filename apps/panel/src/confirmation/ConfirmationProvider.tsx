import { Button, Group, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { saveDraft } from "../session/drafts.ts";
import { Dialog } from "../ui/Dialog.tsx";

export interface Confirmation {
  /** The form to restore afterwards, without its secrets; absent if there is no form. */
  readonly draft?: {
    readonly name: string;
    readonly values: unknown;
    /** Secret fields that the user has to enter again. */
    readonly dropped?: readonly string[];
  };
}

const ConfirmationPrompt = createContext<(confirmation: Confirmation) => void>(() => undefined);

/** Prompts the user to sign in again, then returns to the same URL and restores the form. */
export function useConfirmationPrompt(): (confirmation: Confirmation) => void {
  return useContext(ConfirmationPrompt);
}

export function ConfirmationProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Confirmation | null>(null);
  const close = useCallback(() => setAsked(null), []);
  // Back and Forward leave the page whose operation needs the confirmation.
  useWindowEvent("popstate", close);
  const go = () => {
    if (asked?.draft !== undefined) saveDraft(asked.draft.name, asked.draft.values, asked.draft.dropped);
    window.location.assign(confirmationUrl());
  };
  return (
    <ConfirmationPrompt value={setAsked}>
      {children}
      <Dialog isOpen={asked !== null} onClose={close} title="Confirm your identity">
        <Text>
          This operation requires a sign-in within the last five minutes. After you sign in again, you return to this
          page
          {asked?.draft === undefined ? "" : " with your input"}.
          {asked?.draft?.dropped?.length ? " Secrets are not saved: enter the secret again." : ""}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={go} data-autofocus>
            Sign in again
          </Button>
        </Group>
      </Dialog>
    </ConfirmationPrompt>
  );
}

function confirmationUrl(): string {
  return `/panel/confirm?returnTo=${encodeURIComponent(window.location.pathname + window.location.search)}`;
}
