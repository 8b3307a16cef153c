/** Prints the error of one call to a service that does not exist. */
import { SocialConnect } from "../client.ts";
import { KEY } from "./fakeApi.ts";

const social = new SocialConnect({ baseUrl: "https://service.invalid", key: KEY, retries: 0 });
const error = await social.status().catch((thrown: unknown) => thrown);
process.stdout.write(JSON.stringify(error));
