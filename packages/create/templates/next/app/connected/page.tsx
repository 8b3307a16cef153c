import { TimeoutError } from "@social-connect/sdk";
import Link from "next/link";
import { redirect } from "next/navigation";
import { rememberedAttempt } from "../../lib/attempt";
import { signedInSubject } from "../../lib/social";
import { resultText } from "../../lib/texts";

export default async function Connected({ searchParams }: PageProps<"/connected">) {
  // Anyone can open this URL, so the id must equal that of the attempt which this browser started.
  const attemptId = await rememberedAttempt();
  const { ss_session_id: sessionId } = await searchParams;
  if (attemptId === undefined || sessionId !== attemptId) {
    return <Message title="Nothing to finish" text="You did not start this here." />;
  }
  const result = await resultOf(attemptId);
  if (result === null) {
    const again = `/connected?ss_session_id=${attemptId}`;
    return <Message title="One moment" text="The service is not ready yet." link={again} />;
  }
  if (result.status === "COMPLETED") redirect(`/accounts/${result.connectionId}`);
  return <Message title="Nothing was linked" text={resultText(result)} />;
}

/** null while the service is not ready. */
async function resultOf(attemptId: string) {
  const user = await signedInSubject();
  try {
    return await user.connectResult(attemptId).wait({ deadline: new Date(Date.now() + 5_000) });
  } catch (error) {
    if (TimeoutError.is(error)) return null;
    throw error;
  }
}

function Message({ title, text, link = "/" }: { title: string; text: string; link?: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <Link href={link}>Continue</Link>
      </p>
    </>
  );
}
