import { expect } from "vitest";
import type { DownscalePodPicker, PodPickerHeader, PodPickerTLS } from "../../src/api/generated/apps-v1.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { CallLimiter } from "../../src/picker/call/call-limiter.ts";
import { callPicker } from "../../src/picker/call/call-picker.ts";
import type { PickerOutcome } from "../../src/decisions/downscale/picker-outcome.ts";
import { type Protocol, readPickerSettings } from "../../src/picker/picker-settings.ts";
import { networkConnector, type NetworkConnectorOptions } from "../../src/picker/network-connector.ts";
import { ScriptedApi } from "../../src/testing/scripted-api.ts";
import { observeClient } from "../../src/testing/observe-client.ts";
import { missingPermissions } from "../controllers/rbac.ts";
import { instantClock, type InstantClock } from "./instant-clock.ts";

export interface AskOptions extends Partial<Omit<NetworkConnectorOptions, "client" | "clock">> {
  readonly protocol: Protocol;
  readonly port: number;
  readonly host?: string;
  readonly path?: string;
  readonly tls?: boolean;
  readonly headers?: readonly PodPickerHeader[];
  /** The member `tls` of the picker. */
  readonly secrets?: PodPickerTLS;
  readonly maxRetries?: number;
  readonly candidates?: readonly string[];
  readonly client?: Client;
  readonly clock?: InstantClock;
  readonly signal?: AbortSignal;
  readonly attempted?: (protocol: Protocol, result: string) => void;
}

const workload = { namespace: "shop", kind: "Deployment", name: "web", uid: "web" };

export const candidates = ["a", "b", "c", "d"];

/** Asks a picker on this machine for two of four Pods, as the controller would, but for what is different. */
export async function ask(options: AskOptions): Promise<PickerOutcome> {
  const { clock = instantClock(), attempted } = options;
  const { client, requests } = observeClient(options.client ?? new ScriptedApi());
  const policy = options.policy ?? { loopback: true, allowed: emptyAllowList };
  const settings = readPickerSettings(pickerOf(options));
  if (settings === undefined) throw new Error("the test's picker is not valid");
  const reach = networkConnector({ isSimulated: false, ...options, client, clock, policy });
  const random = seededRandom("ask");
  const question = { requested: 2, candidates: options.candidates ?? candidates };
  const finding = await callPicker(
    { settings, question, workload, leftMs: settings.timeoutMs },
    {
      client,
      clock,
      random,
      ...reach,
      limiter: new CallLimiter(),
      ...(attempted !== undefined && { onAttempt: attempted }),
    },
    options.signal ?? new AbortController().signal,
  );
  expect(missingPermissions(requests, ["trimtab-pod-pickers"]), "what deploy/ does not allow").toEqual([]);
  return finding;
}

function pickerOf(options: AskOptions): DownscalePodPicker {
  const {
    protocol,
    host = "127.0.0.1",
    port,
    path = "/",
    tls = false,
    headers = [],
    maxRetries = 3,
    secrets,
  } = options;
  const shared = { maxRetries, ...(secrets !== undefined && { tls: secrets }) };
  return protocol === "http"
    ? { ...shared, http: { host, port, path, scheme: tls ? "HTTPS" : "HTTP", httpHeaders: headers } }
    : { ...shared, grpc: { host, port, tls, metadata: headers } };
}
