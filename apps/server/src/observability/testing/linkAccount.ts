import { providerSlug } from "@social-connect/domain";
import { createCatalogue, giveConsent } from "@social-connect/simulator";
import { query } from "../../http/testing/testServer.ts";
import { cookiesOf, locationOf, postForm, visit } from "../../http/testing/visits.ts";
import type { Service } from "../../modules/service.ts";
import { RETURN_URL } from "../../modules/testing/builders.ts";
import type { RealTimeService } from "../../worker/testing/realTimeService.ts";

const PROVIDER = "PROVIDER_A";
const CONNECT = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { launchToken } }";

/** Links the ordinary account with this number of the simulator as a person does, through the pages of a running API. Returns the secrets of the link. */
export async function linkAccount(
  { service, application }: Pick<RealTimeService, "application"> & { readonly service: Pick<Service, "prisma"> },
  apiUrl: string,
  externalSubjectId: string,
  number = 0,
) {
  const account = createCatalogue()
    .all(providerSlug(PROVIDER))
    .filter(({ ordinary }) => ordinary)[number];
  if (account === undefined) throw new Error("The simulator has no such account.");
  const tester = { applicationId: application.id, provider: PROVIDER, providerAccountId: account.accountId } as const;
  await service.prisma.tester.createMany({ data: [tester], skipDuplicates: true });
  const scope = { tenantKey: application.tenantKey, externalSubjectId };
  const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
  const input = { scope, provider: PROVIDER, capabilities, returnUrl: RETURN_URL };
  const { data, errors } = await query({ url: apiUrl }, application.key, CONNECT, { input });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const { launchToken } = data.createConnectSession as { launchToken: string };
  const launched = await postForm(`${apiUrl}/api/connect/redeem`, { launchToken });
  const answer = await giveConsent(locationOf(launched), { account: account.name });
  const back = await visit(`${apiUrl}${answer.pathname}${answer.search}`, cookiesOf(launched));
  if (!locationOf(back).includes("ss_status=COMPLETED")) throw new Error("The account was not linked.");
  const [cookie = ""] = cookiesOf(launched).split("=").slice(1);
  const { code = "", state = "" } = Object.fromEntries(answer.searchParams);
  return { launchToken, cookie, code, state };
}
