import { Switch, Text } from "@mantine/core";
import { SetClientIdpIdentityDocument } from "../../../_generated/clients.ts";
import { requestChange } from "../../../api/request.ts";
import { ConfirmationNote } from "../../../confirmation/ConfirmationNote.tsx";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { useAction } from "../../../forms/useAction.ts";
import { withTouched } from "../../../touched/touchedText.ts";
import { FailureNote } from "../../../ui/FailureNote.tsx";
import { Section } from "../../../ui/Section.tsx";
import { useAddressRules } from "../shared/queries.ts";
import { returnUrlProblem } from "../shared/rules.ts";
import { useClient, useReadClient, useShowClient } from "./useClient.ts";
import { ValuesSection } from "./ValuesSection.tsx";

export function ClientIdentity() {
  const { id, idpIdentityEnabled, identityReturnUrls, webOrigins } = useClient();
  const show = useShowClient();
  const rules = useAddressRules();
  const readNow = useReadClient(id);
  const set = async (enabled: boolean, notice: string, isRemoval: boolean, returnUrls?: readonly string[]) => {
    const variables = { id, enabled, ...(returnUrls === undefined ? {} : { returnUrls }) };
    const [client, touched] = await withTouched(isRemoval ? id : null, () =>
      requestChange(SetClientIdpIdentityDocument, variables),
    );
    await show(client, `${notice}${touched}`);
  };
  // The API replaces the whole list, so the current one is read first: another admin may have changed it.
  const setUrls = async (
    notice: string,
    isRemoval: boolean,
    changed: (urls: readonly string[]) => readonly string[],
  ) => {
    const now = await readNow();
    return set(now.idpIdentityEnabled, notice, isRemoval, changed(now.identityReturnUrls));
  };
  const toggle = useAction(() =>
    set(
      !idpIdentityEnabled,
      `The identity sign-in was turned ${idpIdentityEnabled ? "off" : "on"}.`,
      idpIdentityEnabled,
    ),
  );
  const hasUrl = identityReturnUrls.length > 0;
  return (
    <>
      <Section
        title="Identity sign-in"
        description="Lets the application sign users in with the service’s identity provider, and read their stable id, email address and name."
      >
        <ConfirmationNote />
        {toggle.failure !== null && <FailureNote failure={toggle.failure} />}
        <Switch
          mt="md"
          label="Allow the application to sign users in"
          description={
            idpIdentityEnabled || hasUrl
              ? "If you turn this off, no new sign-ins can start. Sign-ins in progress still complete."
              : "Add a return URL first."
          }
          checked={idpIdentityEnabled}
          disabled={toggle.isBusy || !(idpIdentityEnabled || hasUrl)}
          onChange={() => void toggle.run()}
        />
      </Section>
      <ValuesSection
        title="Identity return URLs"
        description="The URLs to which users return after signing in, separate from those for connecting accounts."
        noun="identity return URL"
        values={identityReturnUrls}
        touching={(value) => ({
          action: "CHANGE_IDENTITY_RETURN_URLS",
          id,
          returnUrls: identityReturnUrls.filter((entry) => entry !== value),
        })}
        consequences={[
          "New sign-ins cannot use it. Sign-ins in progress that return to it end.",
          "You can add it again. The last one cannot be removed while the sign-in is on.",
        ]}
        remove={(url) =>
          setUrls("The identity return URL was removed.", true, (urls) => urls.filter((entry) => entry !== url))
        }
      >
        <AddValueForm
          name={`client-${id}-identity-url`}
          label="New identity return URL"
          description="On one of the client’s origins, e.g. https://app.example.com/signed-in"
          problemOf={(url) =>
            identityReturnUrls.includes(url)
              ? "Already registered for this client."
              : returnUrlProblem(url, webOrigins, rules)
          }
          add={(url) => setUrls("The identity return URL was added.", false, (urls) => [...urls, url])}
        />
        <Text size="sm" c="dimmed" mt="md">
          Check that none of these routes is an open redirect.
        </Text>
      </ValuesSection>
    </>
  );
}
