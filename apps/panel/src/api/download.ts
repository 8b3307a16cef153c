import { endSession, readSession } from "../session/session.ts";
import { Failure } from "./failure.ts";

/**
 * Requests a file of the panel's service and saves it; returns the response's headers. The response is complete before it is
 * saved, so a file is never cut short.
 */
export async function download(path: string, fallbackName: string, form?: URLSearchParams): Promise<Headers> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "x-csrf-token": readSession()?.csrfToken ?? "" },
    redirect: "error",
    ...(form && { body: form }),
  }).catch(() => null);
  if (response?.status === 401) {
    endSession();
    throw new Failure({ code: "UNAUTHENTICATED", message: "You are signed out. Sign in to continue." });
  }
  if (response?.status === 400) throw new Failure({ code: "BAD_USER_INPUT", ...(await response.json()) });
  if (response?.status === 428) throw new Failure({ code: "CONFIRMATION_REQUIRED", ...(await response.json()) });
  const file = response?.ok ? await response.blob().catch(() => null) : null;
  if (response === null || file === null) {
    throw new Failure({ code: "UNREACHABLE", message: "The export failed. Try again." });
  }
  save(file, nameIn(response.headers.get("content-disposition")) ?? fallbackName);
  return response.headers;
}

function nameIn(disposition: string | null): string | null {
  return /filename="([\w.-]+)"/.exec(disposition ?? "")?.[1] ?? null;
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
