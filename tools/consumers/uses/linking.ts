import { SocialConnect } from "@social-connect/sdk";

/** Links an account at a mock that is served at this address, as its person, and returns the connection's status. */
export async function link(url: string): Promise<string> {
  const control = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/__mock/${path}`, init);
    if (!response.ok) throw new Error(`The control API answered ${method} ${path} with ${await response.text()}.`);
    return (await response.json()) as { key: string; tenantKeys: string[]; returnUrls: string[] };
  };
  const { key, tenantKeys, returnUrls } = await control("GET", "application");
  const social = new SocialConnect({ baseUrl: url, key });
  const user = social.forSubject({ tenantKey: tenantKeys[0] ?? "", externalSubjectId: "user-42" });
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST"],
    returnUrl: returnUrls[0] ?? "",
  });
  await control("POST", `connect/${session.id}/complete`, { account: "channel-1" });
  const result = await user.connectResult(session.id).wait();
  if (result.status !== "COMPLETED") throw new Error(`The attempt ended ${result.status}.`);
  return (await user.connection(result.connectionId)).status;
}
