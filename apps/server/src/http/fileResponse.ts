import type { Clock } from "../platform/time/clock.ts";

interface FileOptions {
  /** The date of the day and the extension follow. */
  readonly name: string;
  readonly extension: "csv" | "json" | "jsonl";
  /** How many entries it has, and whether there are more. */
  readonly entries?: { readonly count: number; readonly isLimited: boolean };
}

const MEDIA_TYPES: Readonly<Record<FileOptions["extension"], string>> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};

/** Streams a file that the browser saves. An interrupted one ends with an error of the transport, not as a shorter file. */
export async function fileResponse(
  { clock }: { readonly clock: Clock },
  parts: AsyncGenerator<string, void, undefined>,
  { name, extension, entries }: FileOptions,
): Promise<Response> {
  const day = (await clock.now()).toISOString().slice(0, 10);
  return new Response(streamOf(parts), {
    headers: {
      "content-type": MEDIA_TYPES[extension],
      "content-disposition": `attachment; filename="${name}-${day}.${extension}"`,
      ...(entries && { "x-export-entries": String(entries.count), "x-export-limited": String(entries.isLimited) }),
    },
  });
}

/** A response's body of text in parts, each read when the browser has taken the previous one. */
function streamOf(parts: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return();
    },
  });
}
