import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type MemberFragment, MembersDocument } from "../../_generated/admins.ts";
import { request } from "../../api/request.ts";
import { restoreDraft } from "../../session/drafts.ts";
import { useSession } from "../../session/session.ts";
import { actionColumn } from "../../ui/actionColumn.tsx";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section, Total } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { useLive } from "../../ui/useLive.ts";
import { AddAdminForm } from "./AddAdminForm.tsx";
import { REMOVE_ADMIN_DRAFT, RemoveAdminDialog, type RemoveAdminDraft } from "./RemoveAdminDialog.tsx";

export function AdminsPage() {
  const own = useSession()?.email ?? null;
  const [removing, setRemoving] = useState<MemberFragment | null>(null);
  const query = useQuery({
    queryKey: ["admins"],
    queryFn: async () => (await request(MembersDocument)).members,
  });
  useLive(query);
  const [typedBefore, clearTyped] = useReopenedRemoval(query.data, setRemoving);
  return (
    <>
      <PageHeader
        title="Admins"
        description="Who can administer the service. An entry is tied to the first account that signs in with its verified email address."
      />
      <Section
        title="Add an admin"
        description="No invitation is sent: send them the URL of this panel. The first account that signs in with this verified email address becomes the admin."
      >
        <AddAdminForm />
      </Section>
      <Section title="Current admins" actions={query.data && <Total count={query.data.length} />}>
        <Loaded query={query}>
          {(members) => (
            <>
              <DataTable
                caption="Admins, oldest first"
                columns={columns(own, members.length > 1 ? setRemoving : null)}
                rows={members}
                rowKey={({ id }) => id}
              />
              {members.length === 1 && (
                <Text size="sm" c="dimmed" mt="sm">
                  The last admin cannot be removed. Add another admin first.
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <RemoveAdminDialog
        member={removing}
        isOwn={removing?.email === own}
        isLastSignedIn={query.data?.every(({ id, bound }) => id === removing?.id || !bound) === true}
        typedBefore={typedBefore}
        onClose={() => {
          setRemoving(null);
          clearTyped();
        }}
      />
    </>
  );
}

/** Reopens the dialog after a confirmation, with its input. */
function useReopenedRemoval(
  members: readonly MemberFragment[] | undefined,
  open: (member: MemberFragment) => void,
): [typed: string, clear: () => void] {
  const [typed, setTyped] = useState("");
  const restored = useRef(false);
  useEffect(() => {
    if (members === undefined || restored.current) return;
    restored.current = true;
    const draft = restoreDraft<RemoveAdminDraft>(REMOVE_ADMIN_DRAFT)?.values;
    const member = members.find(({ id }) => id === draft?.id);
    if (draft === undefined || member === undefined) return;
    setTyped(draft.typed);
    open(member);
  }, [members, open]);
  return [typed, () => setTyped("")];
}

function columns(
  own: string | null,
  remove: ((member: MemberFragment) => void) | null,
): readonly Column<MemberFragment>[] {
  const shown: Column<MemberFragment>[] = [
    {
      header: "Email address",
      sortBy: ({ email }) => email,
      cell: ({ email }) => (
        <Text span fw={600} size="sm">
          {email}
          {email === own && (
            <Text span c="dimmed" size="sm" fw={400}>
              {" "}
              (you)
            </Text>
          )}
        </Text>
      ),
    },
    {
      header: "State",
      cell: ({ bound }) => (
        <StatusBadge {...(bound ? { label: "Signed in", tone: "good" } : { label: "Never signed in", tone: "idle" })} />
      ),
    },
    { header: "Added", sortBy: ({ addedAt }) => addedAt, cell: ({ addedAt }) => <Timestamp at={addedAt} /> },
    {
      header: "Added by",
      isLong: true,
      isSecondary: true,
      sortBy: ({ addedBy }) => addedBy,
      cell: ({ addedBy }) => addedBy,
    },
  ];
  if (remove === null) return shown;
  return [...shown, actionColumn({ verb: "Remove", nameOf: ({ email }) => `admin ${email}`, run: remove })];
}
