import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { deployments } from "../src/api/resources.ts";
import { web } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import type { Asked } from "../test/real-cluster/picker-server.ts";
import type { RealCluster } from "../test/real-cluster/real-cluster.ts";
import type { Measure } from "./measure.ts";

const [namespaces, perNamespace, answersAfterMs] = [5, 40, 800];

/** 200 Deployments in five namespaces that shrink at once, each namespace with a picker of its own that takes 800 ms. */
export async function slowPickers({ client }: RealCluster): Promise<readonly Measure[]> {
  const servers = await Promise.all(Array.from({ length: namespaces }, startPicker));
  const names = servers.map((_, index) => `pickers-${index}`);
  for (const name of names) await makeNamespace(client, name);
  const each = servers.flatMap((server, index) =>
    Array.from({ length: perNamespace }, (_, number) => ({
      at: { namespace: `pickers-${index}`, name: `web-${number}` },
      port: (server.address() as AddressInfo).port,
    })),
  );
  for (const { at, port } of each) {
    const picker = JSON.stringify({ http: { host: "127.0.0.1", port } });
    const annotations = { "trimtab.dev/downscale-pod-picker": picker };
    const draft = web({ replicas: 3, annotations, startsIn: "0s", endsIn: "0s" });
    const own = { app: at.name };
    const { selector, template } = draft.spec;
    await client.create(deployments, {
      metadata: { ...draft.metadata, ...at },
      spec: {
        ...draft.spec,
        selector: { ...selector, matchLabels: own },
        template: { ...template, metadata: { ...template.metadata, labels: own } },
      },
    });
  }
  const settled = (replicas: number) =>
    eventually(`${replicas} Pods each`, async () => {
      const { items } = await client.list(deployments, {});
      const done = items.filter(
        ({ metadata, status }) =>
          metadata.namespace?.startsWith("pickers-") === true &&
          status?.availableReplicas === replicas &&
          status.replicas === replicas,
      );
      return done.length === each.length ? true : undefined;
    });
  await settled(3);
  const start = performance.now();
  const body = { spec: { replicas: 1 } };
  await Promise.all(each.map(({ at }) => client.patch(deployments, at, { type: "merge", body })));
  await settled(1);
  const ms = performance.now() - start;
  for (const server of servers) server.close();
  const what = "200 Deployments in five namespaces shrink at once, five pickers take 800 ms";
  return [{ what, value: ms, unit: "ms", bar: 10_000 }];
}

async function startPicker(): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request).then((text) => response.end(text));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function answer(request: IncomingMessage): Promise<string> {
  const { candidate_pods: candidates, number_of_pods_requested: count } = (await json(request)) as Asked;
  await wait(answersAfterMs);
  return JSON.stringify({ chosen_pods: candidates.toSorted().slice(0, count) });
}
