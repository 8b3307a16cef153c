import { PATIENCE_MS, reservePort } from "@social-connect/testkit";
import type { RealTimeService } from "../../worker/testing/realTimeService.ts";
import type { Processes, Told } from "./processes.ts";

export interface Answer {
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The code of the first error; null without errors. */
  readonly code: string | null;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export class ApiProcess {
  readonly told: Told;
  readonly address: string;
  readonly #key: string;

  private constructor(told: Told, address: string, key: string) {
    this.told = told;
    this.address = address;
    this.#key = key;
  }

  static async start(
    processes: Processes,
    { databaseUrl, secretKey, application }: RealTimeService,
    environment: Record<string, string> = {},
  ): Promise<ApiProcess> {
    const port = await reservePort();
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
    const told = processes.start("../../../cli.ts", settings, ["start", "--role", "api"]);
    await told.says("listening at");
    return new ApiProcess(told, `http://127.0.0.1:${port}`, application.key);
  }

  async status(path: string): Promise<number> {
    const response = await fetch(this.address + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.text();
    return response.status;
  }

  async call(query: string, variables: object = {}, key: string = this.#key): Promise<Answer> {
    const response = await fetch(`${this.address}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await response.json()) as { data?: Answer["data"]; errors?: { extensions: Answer["extensions"] }[] };
    const extensions = body.errors?.[0]?.extensions ?? {};
    return { data: body.data ?? null, code: (extensions.code as string | undefined) ?? null, extensions };
  }
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
