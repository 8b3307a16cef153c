import { startProcess } from "../../cli/testing/commandLine.ts";
import { query } from "../../http/testing/testServer.ts";
import type { RealTimeService } from "../../worker/testing/realTimeService.ts";

export type ApiProcess = Awaited<ReturnType<typeof startApi>>;

export async function startApi(
  processes: AsyncDisposableStack,
  { databaseUrl, secretKey, application }: RealTimeService,
  environment: Record<string, string> = {},
) {
  const { program, url } = await startProcess("api", {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `test:${secretKey}`,
    ISSUER_URL: "http://127.0.0.1:9",
    ISSUER_CLIENT_ID: "client",
    ISSUER_CLIENT_SECRET: "client-secret-of-this-test-0123456789",
    LOG_LEVEL: "silent",
    SHUTDOWN_TIMEOUT_SECONDS: "6",
    ...environment,
  });
  processes.defer(() => program.kill());
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
