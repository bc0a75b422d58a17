import type { FeatureGates } from "../src/api/feature-gates.ts";
import { namespaces, serviceAccounts } from "../src/api/resources.ts";
import type { ApiServerAccess } from "../src/cluster/apiserver/create-api-server.ts";
import { localPickers, type PickerAccess } from "../src/cluster/network-pickers.ts";
import { localWebhooks } from "../src/cluster/webhook-access.ts";
import type { Client } from "../src/machinery/client/client.ts";
import type { Clock } from "../src/machinery/clock/clock.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { emptyAllowList } from "../src/picker/addresses/address-policy.ts";
import { type TestCluster, testCluster } from "../src/testing/test-cluster.ts";

export interface EmbeddedOptions {
  /** Absent: the wall clock. */
  readonly clock?: Clock;
  readonly gates?: Partial<FeatureGates>;
  /** Besides pickers on this machine. */
  readonly pickers?: PickerAccess;
  /** Absent: all components run. */
  readonly components?: readonly string[];
}

/** A whole cluster in this process that listens on loopback. */
export interface EmbeddedCluster extends Pick<TestCluster<Clock>, "client" | "log" | "stop"> {
  readonly access: ApiServerAccess;
}

/** Starts a cluster as `trimtab up` does, on any free port. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedCluster> {
  const { clock = new WallClock(), gates = {}, pickers = { allowed: emptyAllowList }, components } = options;
  const cluster = await testCluster({
    clock,
    gates,
    seed: "embedded",
    nodes: 12,
    zones: 3,
    transport: "https",
    pickerConnector: localPickers(pickers),
    webhooks: localWebhooks({ allowed: emptyAllowList }),
    ...(components !== undefined && { components }),
  });
  const { access } = cluster;
  if (access === undefined) throw new Error("the cluster does not listen");
  return { client: cluster.client, log: cluster.log, stop: cluster.stop, access };
}

/** Makes a namespace and waits until Pods can be created in it. */
export async function makeNamespace(client: Client, name: string): Promise<void> {
  await client.create(namespaces, { metadata: { name }, spec: {} });
  const enough = new AbortController();
  for await (const event of client.watch(serviceAccounts, { namespace: name }, enough.signal)) {
    if (event.type === "ADDED" && event.object.metadata.name === "default") return;
  }
}
