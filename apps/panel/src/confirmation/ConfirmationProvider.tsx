import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { createContext, useCallback, useContext, useState } from "react";
import { saveDraft } from "../session/drafts.ts";
import { Dialog } from "../ui/Dialog.tsx";

export interface Confirmation {
  /** Name and content of the form to come back to, without secrets; absent where there is no form. */
  readonly draft?: {
    readonly name: string;
    readonly values: unknown;
    /** Secret fields that are filled in and have to be filled in again. */
    readonly dropped?: readonly string[];
  };
}

const AskToConfirm = createContext<(confirmation: Confirmation) => void>(() => undefined);

/** Asks the person to sign in again; they come back to this address, and to the form as they left it. */
export function useAskToConfirm(): (confirmation: Confirmation) => void {
  return useContext(AskToConfirm);
}

export function ConfirmationProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Confirmation | null>(null);
  const close = useCallback(() => setAsked(null), []);
  const go = () => {
    if (asked?.draft !== undefined) saveDraft(asked.draft.name, asked.draft.values, asked.draft.dropped);
    window.location.assign(confirmAddress());
  };
  return (
    <AskToConfirm value={setAsked}>
      {children}
      <Dialog isOpen={asked !== null} onClose={close} title="Confirm that it is you">
        <Text>
          This needs a sign-in from the last five minutes. You are taken to sign in again, and come back here
          {asked?.draft === undefined ? "" : " with what you have filled in"}.
          {asked?.draft?.dropped?.length ? " Only the secret has to be entered again: it is not stored meanwhile." : ""}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button onClick={go} data-autofocus>
            Sign in again
          </Button>
        </Group>
      </Dialog>
    </AskToConfirm>
  );
}

/** Where the browser goes for a confirmation, and from there back to the page that is shown. */
function confirmAddress(): string {
  return `/panel/confirm?returnTo=${encodeURIComponent(window.location.pathname + window.location.search)}`;
}
