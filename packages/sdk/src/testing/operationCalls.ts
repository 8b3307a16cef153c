import { Secret } from "@social-connect/sdk-core";
import type { OperationName } from "../_generated/operations.ts";
import type { SocialConnect } from "../client.ts";
import type { Subject } from "../subject.ts";
import type { Reply } from "./fakeApi.ts";
import { connection, connectResult, contentPage, DISCONNECTED, job, post, SESSION_WIRE, WINDOW } from "./samples.ts";

interface OperationCall {
  readonly good: Reply;
  readonly run: (social: SocialConnect, user: Subject) => Promise<unknown>;
}

const PERSON = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null, pictureUrl: null };

const RETURN_URL = "https://canary.example/return?to=canary";
const POST_URL = "https://canary.example/post";
const PROOF = "canary-proof-0123456789";
/** The user of a call that belongs to one. */
export const CANARY_SCOPE = { tenantKey: "canary tenant/ä", externalSubjectId: "canary-subject-42" };
/** The arguments of the calls. No test may find one in an output of the client. */
export const CANARY_ARGUMENTS: readonly string[] = [
  ...Object.values(CANARY_SCOPE),
  ...[RETURN_URL, POST_URL, PROOF, "canary-session", "canary-connection", "canary-post", "canary-job", "canary-cursor"],
];

export const OPERATION_CALLS: { readonly [Operation in OperationName]: OperationCall } = {
  status: { good: { ok: true, message: "" }, run: (social) => social.status() },
  integrationReadiness: {
    good: { providers: [], idpIdentityAvailable: true },
    run: (social) => social.readiness(),
  },
  connectSessionResult: {
    good: connectResult("CREATED"),
    run: (_, user) => user.connectResult("canary-session").poll(),
  },
  connection: { good: connection("c"), run: (_, user) => user.connection("canary-connection") },
  connections: {
    good: { items: [], pageInfo: { endCursor: null, hasNextPage: false } },
    run: (_, user) => user.connections().page("canary-cursor"),
  },
  content: { good: contentPage([]), run: (_, user) => user.content("canary-connection", WINDOW).page() },
  contentItem: { good: post("p"), run: (_, user) => user.contentItem("canary-connection", "canary-post") },
  syncJob: { good: job("RUNNING"), run: (_, user) => user.job("canary-connection", "canary-job").poll() },
  requestRefresh: {
    good: job("QUEUED"),
    run: (_, user) => user.refresh("canary-connection", { providerContentId: "canary-post" }).poll(),
  },
  disconnectConnection: { good: DISCONNECTED, run: (_, user) => user.disconnect("canary-connection") },
  createConnectSession: {
    good: SESSION_WIRE,
    run: (_, user) => user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL }),
  },
  requestContentLookup: {
    good: job("QUEUED"),
    run: (_, user) => user.lookup("canary-connection", POST_URL).poll(),
  },
  createIdpIdentitySession: {
    good: { ...SESSION_WIRE, resultProof: "proof" },
    run: (social) => social.createIdpIdentitySession({ tenantKey: CANARY_SCOPE.tenantKey, returnUrl: RETURN_URL }),
  },
  redeemIdpIdentityResult: {
    good: { ...PERSON, status: "DENIED" },
    run: (social) => {
      const { tenantKey } = CANARY_SCOPE;
      return social.redeemIdpIdentity({ id: "canary-session", tenantKey, resultProof: new Secret(PROOF) });
    },
  },
};

export const OPERATION_NAMES = Object.keys(OPERATION_CALLS) as OperationName[];
