"use client";

import Link from "next/link";

/** For any error of a page. The server's log has the error, and no error of the SDK contains a key, token or argument. */
export default function ErrorPage() {
  return (
    <>
      <h1>That did not work</h1>
      <p>Try again in a minute. If an account needs your consent again, reconnect it on the first page.</p>
      <p>
        <Link href="/">Continue</Link>
      </p>
    </>
  );
}
