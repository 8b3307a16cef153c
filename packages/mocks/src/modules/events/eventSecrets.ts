import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { EVENT_SECRET_PREFIX, hasPassed } from "@social-connect/domain";
import { randomFor, randomHex } from "@social-connect/provider-fixtures";
import type { EventEndpoint, SentEvent } from "../../state/events.ts";
import { machineNowMs } from "../../util/machineClock.ts";
import type { World } from "../../world/world.ts";

/** An endpoint's current secret. It follows from the seed, so that snapshots contain none. */
export function eventSecret({ state }: World, endpoint: EventEndpoint): string {
  return EVENT_SECRET_PREFIX + base64(keyOf(state.seed, endpoint, endpoint.secretVersion));
}

/**
 * The headers of Standard Webhooks, with the time of the machine, which is the receiver's too. Synchronous, unlike Web Crypto, so
 * that deliveries of one time keep their order.
 */
export function signedHeaders(world: World, endpoint: EventEndpoint, { id, body }: Pick<SentEvent, "id" | "body">) {
  const { secretVersion, previousSecretUntil: until } = endpoint;
  const isAlone = until === null || hasPassed(until, world.now());
  const versions = isAlone ? [secretVersion] : [secretVersion, secretVersion - 1];
  const timestamp = `${Math.floor(machineNowMs() / 1_000)}`;
  const signed = utf8ToBytes(`${id}.${timestamp}.${body}`);
  const sign = (version: number) => `v1,${base64(hmac(sha256, keyOf(world.state.seed, endpoint, version), signed))}`;
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": versions.map(sign).join(" "),
  };
}

function keyOf(seed: string, { id }: EventEndpoint, version: number): Uint8Array {
  return hexToBytes(randomHex(randomFor("event-secret", seed, id, version), 32));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
