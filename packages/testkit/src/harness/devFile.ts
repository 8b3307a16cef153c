/** What `social-connect dev` writes into `dev.json` of its data folder, for programs that use the environment. */
export interface DevFile {
  readonly consumer: {
    readonly baseUrl: string;
    readonly key: string;
    readonly slug: string;
    readonly tenantKeys: readonly string[];
    readonly returnUrl: string;
    readonly identityReturnUrl: string;
    /** Absent without `--events`. */
    readonly eventSecret?: string | undefined;
  };
  readonly otherApplication: { readonly key: string; readonly tenantKey: string; readonly returnUrl: string };
  readonly connectHost: string;
  readonly admin: {
    readonly host: string;
    readonly panelUrl: string;
    readonly email: string;
    readonly readKey: string;
    readonly writeKey: string;
  };
  readonly simulatorUrl: string;
  readonly providerUrls: Readonly<Record<"provider-a" | "provider-b" | "provider-c", string>>;
  readonly issuerUrl: string;
  readonly exampleUrl: string;
  readonly databaseUrl: string;
  /** null without `--clock`. */
  readonly clockUrl: string | null;
  readonly pid: number;
  /** Process ids by role; null while a process restarts. */
  readonly processes: Readonly<Record<"database" | "api" | "worker" | "simulator" | "example", number | null>>;
}
