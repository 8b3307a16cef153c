import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { MemberFragment } from "../../_generated/admins.ts";
import { MembersDocument } from "../../_generated/admins.ts";
import { request } from "../../api/request.ts";
import { restoreDraft } from "../../session/drafts.ts";
import { useSession } from "../../session/session.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { AddAdminForm } from "./AddAdminForm.tsx";
import type { RemoveAdminDraft } from "./RemoveAdminDialog.tsx";
import { REMOVE_ADMIN_DRAFT, RemoveAdminDialog } from "./RemoveAdminDialog.tsx";

export function AdminsPage() {
  const own = useSession()?.email ?? null;
  const [removing, setRemoving] = useState<MemberFragment | null>(null);
  const query = useQuery({
    queryKey: ["admins"],
    queryFn: async () => (await request(MembersDocument)).members,
  });
  const [typedBefore, forgetTyped] = useReopenedRemoval(query.data, setRemoving);
  return (
    <>
      <PageHeader
        title="Admins"
        description="Who may administer: a verified e-mail address, and from the first sign-in on the one account that had it then."
      />
      <Section title="On the list">
        <Loaded query={query}>
          {(members) => (
            <>
              <DataTable
                caption="Admins, the one who was added first at the top"
                columns={columns(own, members.length > 1 ? setRemoving : null)}
                rows={members}
                rowKey={({ id }) => id}
              />
              {members.length === 1 && (
                <Text size="sm" c="dimmed" mt="sm">
                  The last admin cannot be removed. Add another one first.
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Section
        title="Add an admin"
        description="There is no invitation mail: tell the person the address of this panel. Whoever first signs in with the address, verified, is that admin."
      >
        <AddAdminForm />
      </Section>
      <RemoveAdminDialog
        member={removing}
        isOwn={removing?.email === own}
        isLastSignedIn={query.data?.every(({ id, bound }) => id === removing?.id || !bound) === true}
        typedBefore={typedBefore}
        onClose={() => {
          setRemoving(null);
          forgetTyped();
        }}
      />
    </>
  );
}

/** After a confirmation the dialog is open again, with what was typed into it. */
function useReopenedRemoval(
  members: readonly MemberFragment[] | undefined,
  open: (member: MemberFragment) => void,
): [typed: string, forget: () => void] {
  const [typed, setTyped] = useState("");
  const looked = useRef(false);
  useEffect(() => {
    if (members === undefined || looked.current) return;
    looked.current = true;
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
      header: "E-mail address",
      isRowHeader: true,
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
      cell: ({ bound }) =>
        bound ? <StatusBadge tone="good">Has signed in</StatusBadge> : <StatusBadge tone="idle">Not yet</StatusBadge>,
    },
    { header: "Added", cell: ({ addedAt }) => <Timestamp at={addedAt} /> },
    { header: "By", cell: ({ addedBy }) => addedBy },
  ];
  if (remove === null) return shown;
  return [
    ...shown,
    {
      header: "Actions",
      isActions: true,
      cell: (member) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Remove the admin ${member.email}`}
          onClick={() => remove(member)}
        >
          Remove
        </Button>
      ),
    },
  ];
}
