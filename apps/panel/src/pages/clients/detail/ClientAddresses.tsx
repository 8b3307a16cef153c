import {
  AddClientOriginDocument,
  RemoveClientOriginDocument,
  RemoveClientReturnUrlDocument,
} from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { Section } from "../../../ui/Section.tsx";
import { originProblem } from "../shared/rules.ts";
import { AddReturnUrlForm } from "./AddReturnUrlForm.tsx";
import { RemovableValues } from "./RemovableValues.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function ClientAddresses() {
  const { id, webOrigins, returnUrls } = useClient();
  const change = useClientChange();
  return (
    <>
      <Section
        id="origins"
        title="Origins"
        description="Only pages on these may send a person off to connect an account."
      >
        <RemovableValues
          label="Origins"
          noun="origin"
          values={webOrigins}
          empty="None."
          consequences={[
            "Connect forms on its pages are refused from now on.",
            "It can be added again. The last origin stays, and so does one that a return URL lies on.",
          ]}
          remove={(origin) =>
            change(
              request(RemoveClientOriginDocument, { id, origin }).then(({ client }) => client),
              "The origin is removed.",
            )
          }
        />
        <AddValueForm
          name={`client-${id}-origin`}
          label="Another origin"
          description="Scheme and host, and the port if there is one, e.g. https://app.example.com"
          button="Add"
          problemOf={originProblem}
          add={(origin) =>
            change(
              request(AddClientOriginDocument, { id, origin }).then(({ client }) => client),
              "The origin is added.",
            )
          }
        />
      </Section>
      <Section
        id="return-urls"
        title="Return URLs"
        description="Where a person comes back to after connecting an account. Compared character by character."
      >
        <RemovableValues
          label="Return URLs"
          noun="return URL"
          values={returnUrls}
          empty="None."
          consequences={[
            "No new attempt can name it. Those under way still end there.",
            "It can be added again. The last return URL stays.",
          ]}
          remove={(url) =>
            change(
              request(RemoveClientReturnUrlDocument, { id, url }).then(({ client }) => client),
              "The return URL is removed.",
            )
          }
        />
        <AddReturnUrlForm />
      </Section>
    </>
  );
}
