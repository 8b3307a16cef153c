import { reservePort } from "@social-connect/testkit";
import { query } from "../../http/testing/testServer.ts";
import type { RealTimeService } from "../../worker/testing/realTimeService.ts";
import type { Processes } from "./processes.ts";

export type ApiProcess = Awaited<ReturnType<typeof startApi>>;

export async function startApi(
  processes: Processes,
  { databaseUrl, secretKey, application }: RealTimeService,
  environment: Record<string, string> = {},
) {
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `test:${secretKey}`,
    ISSUER_URL: "http://127.0.0.1:9",
    ISSUER_CLIENT_ID: "client",
    ISSUER_CLIENT_SECRET: "client-secret-of-this-test-0123456789",
    LOG_LEVEL: "silent",
    DRAIN_SECONDS: "0",
    SHUTDOWN_TIMEOUT_SECONDS: "6",
    ...environment,
  };
  const program = processes.start("../../../cli.ts", settings, ["start", "--role", "api"]);
  await program.until(async () => program.output().includes("listening at"));
  return {
    program,
    url,
    status: async (path: string) => {
      const response = await fetch(url + path);
      await response.text();
      return response.status;
    },
    call: (text: string, variables: Record<string, unknown> = {}, key: string = application.key) =>
      query({ url }, key, text, variables),
  };
}

export const CREATE_CONNECT_SESSION = `mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id } }`;
export const CONNECT_SESSION_RESULT = `query ($scope: SubjectScope!, $id: ID!) {
  connectSessionResult(scope: $scope, id: $id) { status }
}`;
export const CREATE_IDENTITY_SESSION = `mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id } }`;
export const REQUEST_REFRESH = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
  requestRefresh(scope: $scope, connectionId: $connectionId) { id status }
}`;
export const READINESS = "{ integrationReadiness { idpIdentityAvailable } }";
