import {
  AddClientOriginDocument,
  RemoveClientOriginDocument,
  RemoveClientReturnUrlDocument,
} from "../../../_generated/clients.ts";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { useAddressRules } from "../shared/queries.ts";
import { originProblem } from "../shared/rules.ts";
import { AddReturnUrlForm } from "./AddReturnUrlForm.tsx";
import { useClient, useClientChange } from "./useClient.ts";
import { ValuesSection } from "./ValuesSection.tsx";

export function ClientAddresses() {
  const { id, webOrigins, returnUrls } = useClient();
  const change = useClientChange();
  const rules = useAddressRules();
  return (
    <>
      <ValuesSection
        id="origins"
        title="Origins"
        description="Only pages on these origins can start an attempt to connect an account."
        noun="origin"
        values={webOrigins}
        touching={(value) => ({ action: "REMOVE_ORIGIN", id, value })}
        consequences={[
          "Attempts from pages on this origin are rejected immediately.",
          "You can add it again. The last origin, and an origin that a return URL uses, cannot be removed.",
        ]}
        remove={(origin) => change(RemoveClientOriginDocument, { origin }, "The origin was removed.", true)}
      >
        <AddValueForm
          name={`client-${id}-origin`}
          label="New origin"
          description="Scheme and host, and the port if there is one, e.g. https://app.example.com"
          problemOf={(origin) => originProblem(origin, rules)}
          add={(origin) => change(AddClientOriginDocument, { origin }, "The origin was added.")}
        />
      </ValuesSection>
      <ValuesSection
        id="return-urls"
        title="Return URLs"
        description="The URLs to which users return after connecting an account. Compared byte for byte."
        noun="return URL"
        values={returnUrls}
        touching={(value) => ({ action: "REMOVE_RETURN_URL", id, value })}
        consequences={[
          "New attempts cannot use it. Attempts in progress that return to it end.",
          "You can add it again. The last return URL cannot be removed.",
        ]}
        remove={(url) => change(RemoveClientReturnUrlDocument, { url }, "The return URL was removed.", true)}
      >
        <AddReturnUrlForm />
      </ValuesSection>
    </>
  );
}
