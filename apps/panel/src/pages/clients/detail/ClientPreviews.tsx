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
import { Loaded } from "../../../ui/Loaded.tsx";
import { notifyFailure } from "../../../ui/notify.ts";
import { Section } from "../../../ui/Section.tsx";
import { clientDetail, keepClient, previewTemplate } from "../shared/queries.ts";
import { previewPathProblem } from "../shared/rules.ts";
import { RemovableValues } from "./RemovableValues.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function ClientPreviews() {
  const { id, previewReturnPaths } = useClient();
  const change = useClientChange();
  const template = useQuery(previewTemplate);
  return (
    <>
      <Section
        title="Preview deployments"
        description="Each branch of an application often has an address of its own. They need not be registered one by one."
      >
        <Loaded query={template} lines={2}>
          {(shown) =>
            shown === null ? (
              <Text>
                This service is set up without previews. Its operator can give it a template for their addresses.
              </Text>
            ) : (
              <>
                <Text mb="md">
                  An origin is a preview when it has the form <Code>{shown}</Code>, with one word in the place of{" "}
                  <Code>{"{label}"}</Code>.
                </Text>
                <PreviewSwitch />
              </>
            )
          }
        </Loaded>
      </Section>
      <Section
        title="Preview return paths"
        description="On a preview, a person may come back to one of these paths, exactly and without a query."
      >
        <RemovableValues
          label="Preview return paths"
          noun="preview return path"
          values={previewReturnPaths}
          empty="None."
          consequences={["No new attempt on a preview can come back to it.", "It can be added again."]}
          remove={(path) =>
            change(
              request(RemoveClientPreviewReturnPathDocument, { id, path }).then(({ client }) => client),
              "The path is removed.",
            )
          }
        />
        <AddValueForm
          name={`client-${id}-preview-path`}
          label="Another path"
          description="e.g. /social/return"
          button="Add"
          problemOf={previewPathProblem}
          add={(path) =>
            change(
              request(AddClientPreviewReturnPathDocument, { id, path }).then(({ client }) => client),
              "The path is added.",
            )
          }
        />
      </Section>
    </>
  );
}

/** Moves at once and goes back if the service refuses: switching takes nothing away that the next switch does not bring back. */
function PreviewSwitch() {
  const { id, previewOriginsEnabled } = useClient();
  const queries = useQueryClient();
  const key = clientDetail(id).queryKey;
  const show = (enabled: boolean) =>
    queries.setQueryData(key, (client) => client && { ...client, previewOriginsEnabled: enabled });
  const mutation = useMutation({
    mutationFn: (enabled: boolean) => request(SetClientPreviewOriginsDocument, { id, enabled }),
    onSuccess: ({ client }) => keepClient(queries, client),
    onError: (error, enabled) => {
      show(!enabled);
      notifyFailure(asFailure(error).message);
    },
  });
  return (
    <Switch
      label="Previews may connect accounts"
      description="Whoever can deploy a preview can then start an attempt in the application’s name."
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
