import { Code, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  AddClientPreviewReturnPathDocument,
  RemoveClientPreviewReturnPathDocument,
  SetClientPreviewOriginsDocument,
} from "../../../_generated/clients.ts";
import { asFailure } from "../../../api/failure.ts";
import { request } from "../../../api/request.ts";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { withTouched } from "../../../touched/touchedText.ts";
import { Loaded } from "../../../ui/Loaded.tsx";
import { notifyDone, notifyFailure } from "../../../ui/notify.ts";
import { Section } from "../../../ui/Section.tsx";
import { cacheClient, clientDetail, previewTemplate } from "../shared/queries.ts";
import { previewPathProblem } from "../shared/rules.ts";
import { useClient, useClientChange } from "./useClient.ts";
import { ValuesSection } from "./ValuesSection.tsx";

export function ClientPreviews() {
  const { id, previewReturnPaths } = useClient();
  const change = useClientChange();
  const template = useQuery(previewTemplate);
  return (
    <>
      <Section
        title="Preview deployments"
        description="Preview deployments have a separate origin per branch. They do not have to be registered individually."
      >
        <Loaded query={template}>
          {(shown) =>
            shown === null ? (
              <Text>Previews are not configured. The operator can set a template for their origins.</Text>
            ) : (
              <>
                <Text mb="md">
                  An origin is a preview if it matches <Code>{shown}</Code>. <Code>{"{label}"}</Code> matches one DNS
                  label.
                </Text>
                <PreviewSwitch />
              </>
            )
          }
        </Loaded>
      </Section>
      <ValuesSection
        title="Preview return paths"
        description="The paths on a preview to which users return after connecting an account. Compared exactly, without a query."
        noun="preview return path"
        values={previewReturnPaths}
        touching={(value) => ({ action: "REMOVE_PREVIEW_RETURN_PATH", id, value })}
        consequences={[
          "New attempts on a preview cannot use it. Attempts in progress that return to it end.",
          "You can add it again.",
        ]}
        remove={(path) => change(RemoveClientPreviewReturnPathDocument, { path }, "The path was removed.", true)}
      >
        <AddValueForm
          name={`client-${id}-preview-path`}
          label="New path"
          description="e.g. /social/return"
          problemOf={previewPathProblem}
          add={(path) => change(AddClientPreviewReturnPathDocument, { path }, "The path was added.")}
        />
      </ValuesSection>
    </>
  );
}

/** Updates optimistically and reverts if the request fails; the change can always be undone. */
function PreviewSwitch() {
  const { id, previewOriginsEnabled } = useClient();
  const queries = useQueryClient();
  const key = clientDetail(id).queryKey;
  const show = (enabled: boolean) =>
    queries.setQueryData(key, (client) => client && { ...client, previewOriginsEnabled: enabled });
  const mutation = useMutation({
    mutationFn: (enabled: boolean) =>
      withTouched(enabled ? null : id, () => request(SetClientPreviewOriginsDocument, { id, enabled })),
    onSuccess: async ([{ client }, touched]) => {
      await cacheClient(queries, client);
      if (!client.previewOriginsEnabled) notifyDone(`Previews were turned off.${touched}`);
    },
    onError: (error, enabled) => {
      show(!enabled);
      notifyFailure(asFailure(error).message);
    },
  });
  return (
    <Switch
      label="Allow previews to connect accounts"
      description="Anyone who can deploy a preview can then start attempts on behalf of the application."
      checked={previewOriginsEnabled}
      disabled={mutation.isPending}
      onChange={({ currentTarget: { checked } }) => {
        void queries.cancelQueries({ queryKey: key });
        show(checked);
        mutation.mutate(checked);
      }}
    />
  );
}
