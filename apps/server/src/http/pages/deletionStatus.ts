import { addMs, RETENTION, TEXTS } from "@social-connect/domain";
import type { Context } from "hono";
import { html } from "hono/html";
import type { DeletionStatus } from "../../modules/data-deletion/readDeletion.ts";
import type { Service } from "../../modules/service.ts";
import { format } from "../languages/format.ts";
import { localeOfRequest } from "./localeOf.ts";
import { respond } from "./render.ts";

const { keepMs } = RETENTION.dataDeletion;
const DAY_MS = 86_400_000;

/**
 * The status of a data deletion request. Names no account, application or provider. One page for every code without a
 * request, so that it reveals nothing to a person who guesses.
 */
export function answerDeletionStatus(
  context: Context,
  service: Pick<Service, "connectHost">,
  status: DeletionStatus | null,
): Promise<Response> {
  const publicUrl = new URL(service.connectHost);
  const locale = localeOfRequest(context, publicUrl);
  const { language, tag } = locale;
  const message = TEXTS[language].deletion;
  const page = { locale, brand: null, serviceHost: publicUrl.host } as const;
  if (status === null) {
    const content = html`<p>${format(tag, message.unknown, { days: keepMs / DAY_MS })}</p>`;
    return respond(context, { ...page, status: 404, title: message.unknownTitle, content });
  }
  const { state, requestedAt, erasedAt, connections, remaining, posts, appMayRemain } = status;
  const at = (text: string, time: Date) => format(tag, text, { time });
  const result = {
    NOTHING_HELD: message.nothingHeld,
    IN_PROGRESS: format(tag, message.remaining, { count: remaining }),
    ERASED: at(message.erased, erasedAt ?? requestedAt),
  } as const;
  const erased = html`<h2>${message.erasedTitle}</h2><ul><li>${format(tag, message.connections, { count: connections })}</li>
<li>${format(tag, message.posts, { count: posts })}</li></ul>`;
  const content = html`<p>${at(message.requested, requestedAt)}</p><p><strong>${result[state]}</strong></p>
${connections > 0 ? erased : ""}${appMayRemain ? html`<p>${message.appMayRemain}</p>` : ""}
<p>${at(message.available, addMs(requestedAt, keepMs))}</p>`;
  return respond(context, { ...page, status: 200, title: message.title, content });
}
