import { cookies } from "next/headers";

/** Remembers the attempt that this browser started. */
const NAME = "attempt";

export async function rememberAttempt(id: string, returnUrl: string): Promise<void> {
  // `lax`: the browser sends it when the user returns from the provider.
  (await cookies()).set(NAME, id, { httpOnly: true, sameSite: "lax", secure: returnUrl.startsWith("https:") });
}

export async function rememberedAttempt(): Promise<string | undefined> {
  return (await cookies()).get(NAME)?.value;
}
