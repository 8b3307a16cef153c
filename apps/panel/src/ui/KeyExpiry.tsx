import { serviceTime, Timestamp } from "./Timestamp.tsx";

interface KeyExpiryProps {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** When a key expires, or when it stopped working: a revoked key no longer expires. */
export function KeyExpiry({ expiresAt, revokedAt }: KeyExpiryProps) {
  if (revokedAt !== null) {
    return (
      <>
        revoked <Timestamp at={revokedAt} />
      </>
    );
  }
  const isOver = expiresAt !== null && new Date(expiresAt) <= serviceTime();
  return (
    <>
      {isOver && "expired "}
      <Timestamp at={expiresAt} />
    </>
  );
}
