import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { Document } from "../api/document.ts";
import { requestChange } from "../api/request.ts";
import type { Success, TypedResult } from "../api/result.ts";
import { withTouched } from "../touched/touchedText.ts";
import { notifyDone } from "../ui/notify.ts";

/** Returns a function that sends a change, shows a notice, and refetches the queries whose keys start with one of these. */
export function useChange(...queryKeys: readonly QueryKey[]) {
  const queries = useQueryClient();
  return async <Result extends TypedResult, Variables>(
    document: Document<{ readonly result: Result }, Variables>,
    variables: NoInfer<Variables>,
    notice: string | ((result: Success<Result>) => string),
    /** The object from which the change takes something away: the notice says how much. */
    touchedId: string | null = null,
  ): Promise<Success<Result>> => {
    const [result, touched] = await withTouched(touchedId, () =>
      requestChange<Result, Variables>(document, ...([variables] as never)),
    );
    notifyDone(`${typeof notice === "string" ? notice : notice(result)}${touched}`);
    await Promise.all(queryKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    return result;
  };
}
