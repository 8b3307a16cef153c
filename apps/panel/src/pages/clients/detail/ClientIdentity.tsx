import { Switch, Text } from "@mantine/core";
import { SetClientIdpIdentityDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { unwrap } from "../../../api/result.ts";
import { ConfirmationNote } from "../../../confirmation/ConfirmationNote.tsx";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { useAction } from "../../../forms/useAction.ts";
import { FailureNote } from "../../../ui/FailureNote.tsx";
import { Section } from "../../../ui/Section.tsx";
import { returnUrlProblem } from "../shared/rules.ts";
import { RemovableValues } from "./RemovableValues.tsx";
import { useClient, useClientChange, useReadClient } from "./useClient.ts";

export function ClientIdentity() {
  const { id, idpIdentityEnabled, identityReturnUrls, webOrigins } = useClient();
  const change = useClientChange();
  const readNow = useReadClient(id);
  const set = async (enabled: boolean, notice: string, returnUrls?: readonly string[]) => {
    const variables = { id, enabled, ...(returnUrls === undefined ? {} : { returnUrls }) };
    return change(
      request(SetClientIdpIdentityDocument, variables).then(({ result }) => unwrap(result)),
      notice,
    );
  };
  // Another admin may have changed the list since it was shown: it is written as a whole, so it is read right before.
  const setUrls = async (notice: string, changed: (urls: readonly string[]) => readonly string[]) => {
    const now = await readNow();
    return set(now.idpIdentityEnabled, notice, changed(now.identityReturnUrls));
  };
  const toggle = useAction(() =>
    set(!idpIdentityEnabled, `The identity sign-in is switched ${idpIdentityEnabled ? "off" : "on"}.`),
  );
  const hasUrl = identityReturnUrls.length > 0;
  return (
    <>
      <Section
        title="Identity sign-in"
        description="Lets the application ask who a person is, by the service’s identity provider, and learn their stable id, e-mail address and name."
      >
        <ConfirmationNote />
        {toggle.failure !== null && <FailureNote failure={toggle.failure} />}
        <Switch
          label="The application may sign people in"
          description={
            idpIdentityEnabled || hasUrl
              ? "Switched off, no new sign-in can be begun; those under way still end."
              : "Add a return URL first: a sign-in has to end somewhere."
          }
          checked={idpIdentityEnabled}
          disabled={toggle.isBusy || !(idpIdentityEnabled || hasUrl)}
          onChange={() => void toggle.run()}
        />
      </Section>
      <Section
        title="Identity return URLs"
        description="Where a person comes back to after signing in. They are apart from those for connecting accounts."
      >
        <RemovableValues
          label="Identity return URLs"
          noun="identity return URL"
          values={identityReturnUrls}
          empty="None."
          consequences={[
            "No new sign-in can name it. Those under way still end there.",
            "It can be added again. While the sign-in is switched on, the last one stays.",
          ]}
          remove={(url) =>
            setUrls("The identity return URL is removed.", (urls) => urls.filter((entry) => entry !== url))
          }
        />
        <AddValueForm
          name={`client-${id}-identity-url`}
          label="Another identity return URL"
          description="On one of the client’s origins, e.g. https://app.example.com/signed-in"
          button="Add"
          problemOf={(url) =>
            identityReturnUrls.includes(url) ? "It is in the list already." : returnUrlProblem(url, webOrigins)
          }
          add={(url) => setUrls("The identity return URL is added.", (urls) => [...urls, url])}
        />
        <Text size="sm" c="dimmed" mt="md">
          Check that none of these routes redirects on to an address that it takes from the request.
        </Text>
      </Section>
    </>
  );
}
