import type { OperationName } from "../_generated/operations.ts";
import type { SocialConnect } from "../client.ts";
import type { Subject } from "../subject.ts";
import type { Reply } from "./fakeApi.ts";
import { connection, connectResult, contentPage, DISCONNECTED, job, post, SESSION_WIRE, WINDOW } from "./samples.ts";

interface OperationCall {
  /** A valid reply. */
  readonly good: Reply;
  /** The call of the SDK. */
  readonly run: (social: SocialConnect, user: Subject) => Promise<unknown>;
}

const PERSON = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null, pictureUrl: null };

/** A call and a valid reply for each operation. */
export const OPERATION_CALLS: { readonly [Operation in OperationName]: OperationCall } = {
  status: { good: { ok: true, message: "" }, run: (social) => social.status() },
  integrationReadiness: {
    good: { providers: [], idpIdentityAvailable: true },
    run: (social) => social.readiness(),
  },
  connectSessionResult: {
    good: connectResult("CREATED"),
    run: (_, user) => user.connectResult("session-1").poll(),
  },
  connection: { good: connection("c"), run: (_, user) => user.connection("c") },
  connections: {
    good: { items: [], pageInfo: { endCursor: null, hasNextPage: false } },
    run: (_, user) => user.connections().page(),
  },
  content: { good: contentPage([]), run: (_, user) => user.content("c", WINDOW).page() },
  contentItem: { good: post("p"), run: (_, user) => user.contentItem("c", "p") },
  syncJob: { good: job("RUNNING"), run: (_, user) => user.job("c", "j").poll() },
  requestRefresh: { good: job("QUEUED"), run: (_, user) => user.refresh("c").poll() },
  disconnectConnection: { good: DISCONNECTED, run: (_, user) => user.disconnect("c") },
  createConnectSession: {
    good: SESSION_WIRE,
    run: (_, user) =>
      user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://a.example/r" }),
  },
  requestContentLookup: {
    good: job("QUEUED"),
    run: (_, user) => user.lookup("c", "https://video.example/1").poll(),
  },
  createIdpIdentitySession: {
    good: { ...SESSION_WIRE, resultProof: "proof" },
    run: (social) => social.createIdpIdentitySession({ tenantKey: "t", returnUrl: "https://a.example/r" }),
  },
  redeemIdpIdentityResult: {
    good: { ...PERSON, status: "DENIED" },
    run: (social) => social.redeemIdpIdentity({ id: "i", tenantKey: "t", resultProof: "proof" }),
  },
};

export const OPERATION_NAMES = Object.keys(OPERATION_CALLS) as OperationName[];
