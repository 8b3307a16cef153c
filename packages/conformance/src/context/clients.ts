import type { AdminClient } from "../_generated/adminWire.ts";
import { CaseContext } from "./context.ts";

/** The case's application, as an admin changes it. */
export class ClientSteps extends CaseContext {
  clientId(): Promise<string> {
    return this.driver("operator").clientId(this.application);
  }

  async setEnabled(enabled: boolean): Promise<void> {
    await this.admin.get("setClientEnabled", { id: await this.clientId(), enabled });
  }

  /** Replaces these parts of the policy, and returns what undoes it. */
  async setPolicy(changed: Partial<Pick<AdminClient, "providers" | "capabilities">>): Promise<() => Promise<unknown>> {
    const id = await this.clientId();
    const { providers, capabilities } = await this.admin.get("adminClient", { id });
    await this.admin.get("setClientPolicy", { id, providers, capabilities, ...changed });
    return () => this.admin.get("setClientPolicy", { id, providers, capabilities });
  }

  async setIdentity(enabled: boolean, returnUrls?: readonly string[]): Promise<AdminClient> {
    return this.admin.inPanel("setClientIdpIdentity", {
      id: await this.clientId(),
      enabled,
      ...(returnUrls && { returnUrls }),
    });
  }

  /** Enables or disables previews, with these return paths besides its own. */
  async setPreviews(enabled: boolean, ...paths: readonly string[]): Promise<AdminClient> {
    const id = await this.clientId();
    for (const path of paths) await this.admin.get("addClientPreviewReturnPath", { id, path });
    return this.admin.get("setClientPreviewOrigins", { id, enabled });
  }

  async addReturnUrl(url: string): Promise<void> {
    await this.admin.get("addClientReturnUrl", { id: await this.clientId(), url, confirmedNoOnwardRedirect: true });
  }

  async removeReturnUrl(url: string): Promise<void> {
    await this.admin.get("removeClientReturnUrl", { id: await this.clientId(), url });
  }

  async issueKey(expiresInDays: number | null = null): Promise<string> {
    return (await this.admin.inPanel("issueClientCredential", { id: await this.clientId(), expiresInDays })).key;
  }

  async revokeKey(key: string): Promise<void> {
    await this.admin.inPanel("revokeClientCredential", {
      id: await this.clientId(),
      keyId: key.slice(0, key.indexOf(".")),
    });
  }
}
