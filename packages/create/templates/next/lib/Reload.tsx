"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 2_000;

/** Loads the data of the page again until it no longer shows this text. */
export function Reload({ text }: { text: string }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return <p role="status">{text}</p>;
}
