import type { SocialProvider } from "@social-connect/contract";
import { providerOfSlug } from "@social-connect/domain";
import { type Context, Hono } from "hono";
import { readDeletion } from "../modules/data-deletion/readDeletion.ts";
import { receiveDataDeletion } from "../modules/data-deletion/receiveDataDeletion.ts";
import { type MessageOutcome, refused } from "../modules/disconnect/endGrants.ts";
import { receiveDeauthorization } from "../modules/disconnect/receiveDeauthorization.ts";
import { receiveWebhook } from "../modules/disconnect/receiveWebhook.ts";
import { deletionStatusUrl } from "../modules/registrations/callbackAddress.ts";
import type { Service } from "../modules/service.ts";
import { securityLog } from "../platform/log/securityLog.ts";
import { callerOf } from "./browserSecurity.ts";
import { type FormEnv, fieldOf, readForm } from "./forms.ts";
import { answerDeletionStatus } from "./pages/deletionStatus.ts";
import { answerNotFound } from "./pages/notFound.ts";
import { readBody } from "./readBody.ts";
import { requestQuery } from "./requestQuery.ts";

/** A webhook has less than a kilobyte. */
const MAX_WEBHOOK_BYTES = 16_384;

/** Where providers report what happened to a user's grant and ask for deletion, and the page that shows what was deleted. */
export function providerMessages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();

  pages.post("/api/connect/deauthorize/:provider", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    const signedRequest = fieldOf(await readForm(context), "signed_request");
    const outcome =
      provider === null || signedRequest === null
        ? refused("malformed")
        : await receiveDeauthorization(service, provider, signedRequest);
    report(context, service, "deauthorization", provider, outcome);
    return context.body(null, outcome.result === "refused" ? 400 : 204);
  });

  pages.post("/api/connect/:provider/webhook", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null || service.provider(provider).verifyWebhook === undefined)
      return answerNotFound(context, service);
    const body = await readBody(context.env.incoming, MAX_WEBHOOK_BYTES).catch(() => null);
    const header = (name: string) => context.req.header(name);
    const outcome = body === null ? refused("malformed") : await receiveWebhook(service, provider, { header, body });
    report(context, service, "webhook", provider, outcome);
    return context.body(null, outcome.result === "refused" ? 400 : 200);
  });

  pages.post("/api/connect/:provider/data-deletion", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null || service.provider(provider).verifyDataDeletion === undefined)
      return answerNotFound(context, service);
    const signedRequest = fieldOf(await readForm(context), "signed_request");
    const outcome =
      signedRequest === null
        ? { ...refused("malformed"), code: null }
        : await receiveDataDeletion(service, provider, signedRequest);
    report(context, service, "data_deletion", provider, outcome);
    const { code } = outcome;
    if (code === null) return context.body(null, 400);
    return context.json({ url: deletionStatusUrl(service, provider, code), confirmation_code: code });
  });

  pages.get("/api/connect/:provider/data-deletion", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null || service.provider(provider).verifyDataDeletion === undefined)
      return answerNotFound(context, service);
    const code = fieldOf(requestQuery(context), "code") ?? "";
    return answerDeletionStatus(context, service, await readDeletion(service, code));
  });

  return pages;
}

function report(
  context: Context<FormEnv>,
  service: Service,
  kind: "deauthorization" | "webhook" | "data_deletion",
  provider: SocialProvider | null,
  { result, problem }: MessageOutcome,
): void {
  if (provider !== null) service.telemetry.providerMessage({ provider, kind, result });
  if (problem === null || result === "accepted") return;
  const { address, network } = callerOf(context, service);
  securityLog(service).record(`${kind}.${result}`, { provider, reason: problem, address }, network);
}
