import Link from "next/link";
import { redirect } from "next/navigation";
import { signedInSubject } from "../../../../lib/social";
import { REMOVE_APP } from "../../../../lib/texts";

export default async function Disconnect({ params, searchParams }: PageProps<"/accounts/[id]/disconnect">) {
  const { id } = await params;
  const { done } = await searchParams;
  return (
    <>
      <h1>{done === undefined ? "Disconnect this account?" : "Disconnected"}</h1>
      <p>
        {done === undefined
          ? "This application can no longer read the account, and its posts are erased here."
          : REMOVE_APP}
      </p>
      {done === undefined && (
        <form action={disconnect.bind(null, id)}>
          <button type="submit">Disconnect</button>
        </form>
      )}
      <Link href="/">{done === undefined ? "Cancel" : "Continue"}</Link>
    </>
  );
}

async function disconnect(id: string) {
  "use server";
  const { result } = await (await signedInSubject()).disconnect(id);
  redirect(result.creatorAction === null ? "/" : `/accounts/${id}/disconnect?done=1`);
}
