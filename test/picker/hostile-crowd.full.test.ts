import { expect, onTestFinished, test } from "vitest";
import type { DownscalePodPicker } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets, services } from "../../src/api/resources.ts";
import { createDecisionLogs } from "../../src/cluster/decisions-endpoint.ts";
import { localPickers } from "../../src/cluster/network-pickers.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { endpointAnnotation } from "../../src/api/well-known.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { follow } from "./follow.ts";
import { startHttpPicker } from "./http-picker.ts";

async function run(client: Client, namespace: string, name: string, downscalePodPicker: DownscalePodPicker) {
  const labels = { app: name };
  const spec = { containers: [{ name: "app", image: "registry.example/app:1" }] };
  const template = { metadata: { labels }, spec };
  await client.create(replicaSets, {
    metadata: { namespace, name },
    spec: { replicas: 2, selector: { matchLabels: labels }, template, downscalePodPicker },
  });
}

const isGoing = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

test.for([
  { name: "by their namespace", limits: { total: 50, perNamespace: 10, perAddress: 60 } },
  { name: "by the address of all their hosts", limits: { total: 50, perNamespace: 60, perAddress: 10 } },
])(
  "sixty workloads whose pickers hang are limited $name: another namespace has its picker",
  async ({ limits }) => {
    const clock = new WallClock();
    const decisions = createDecisionLogs();
    const hanging = await startHttpPicker(() => ({ does: "hang" }));
    const working = await startHttpPicker(({ candidates }) => ({
      does: "answer",
      chosen: candidates.toSorted().slice(0, 1),
    }));
    onTestFinished(() => hanging.close());
    onTestFinished(() => working.close());
    const pickerConnector = localPickers({ allowed: emptyAllowList, limits });
    const cluster = await startCluster({ clock, random: seededRandom("crowd"), decisions, pickerConnector });
    onTestFinished(() => cluster.stop());
    const { client } = cluster;
    for (const namespace of ["greedy", "modest"]) await makeNamespace(client, namespace);
    const greedyPods = follow(client, pods, "greedy");
    const modestPods = follow(client, pods, "modest");
    const greedyEvents = follow(client, events, "greedy");

    const names = Array.from({ length: 60 }, (_, i) => `web-${i}`);
    for (const [i, name] of names.entries()) {
      // A Service for each of them, so that every host is another one; all lead to one address.
      const annotations = { [endpointAnnotation]: `127.0.0.1:${hanging.port}` };
      const spec = { ports: [{ port: 80 }], selector: { app: name } };
      await client.create(services, {
        metadata: { namespace: "greedy", name: `picker-${i}`, annotations },
        spec,
      });
      // So long that all sixty ask before the first of them gives up.
      await run(client, "greedy", name, { http: { host: `picker-${i}`, port: 80 }, timeoutSeconds: 10 });
    }
    const http = { host: "127.0.0.1", port: working.port };
    await run(client, "modest", "web", { http, timeoutSeconds: 30 });
    await greedyPods.until((all) => all.filter(isReady).length === 120);
    const before = await modestPods.until((all) => all.filter(isReady).length === 2);

    const scaleDown = (namespace: string, name: string) =>
      client.patch(replicaSets, { namespace, name }, { type: "merge", body: { spec: { replicas: 1 } } });
    for (const name of names) await scaleDown("greedy", name);
    await hanging.asked(10);
    await scaleDown("modest", "web");
    const gone = (await modestPods.until((all) => all.some(isGoing))).filter(isGoing);
    expect(gone.map(({ metadata }) => metadata.name)).toEqual(
      before
        .map(({ metadata }) => metadata.name)
        .toSorted()
        .slice(0, 1),
    );
    const [record] = decisions.removals.find({ namespace: "modest", name: "web" });
    expect(record?.picker).toMatchObject({ outcome: "Ranked" });

    const told = await greedyEvents.until(
      (all) => all.filter(({ reason }) => reason === "DownscalePodPickerFailed").length === 60,
    );
    const classes = told.flatMap(({ message = "" }) => /not used \((\w+)/.exec(message)?.[1] ?? []);
    expect(classes.filter((name) => name === "Timeout")).toHaveLength(10);
    expect(classes.filter((name) => name === "Saturated")).toHaveLength(50);
  },
);
