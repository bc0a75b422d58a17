import { onTestFinished } from "vitest";
import { nodes, pods, replicaSets, services } from "../../api/resources.ts";
import { describeReader } from "../../decisions/gather/workload-reader.contract.ts";
import { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testApi } from "../../testing/test-api.ts";
import { informerReader } from "./informer-reader.ts";
import { replicaSetKind } from "./kind.ts";

describeReader(async (objects) => {
  const { client, clock, seed } = testApi();
  for (const object of objects.replicaSets) seed(replicaSets, object);
  for (const object of objects.pods) seed(pods, object);
  for (const object of objects.nodes) seed(nodes, object);
  const informers = new InformerFactory({
    client,
    clock,
    random: seededRandom("reader"),
    log: silentLogger,
  });
  const sources = {
    owners: informers.of(replicaSets),
    pods: informers.of(pods),
    nodes: informers.of(nodes),
    services: informers.of(services),
  };
  const { selectionOf } = replicaSetKind;
  const index = ownerIndexOf({ owners: sources.owners, dependents: sources.pods, selectionOf });
  const reader = informerReader(index, sources);
  const ending = new AbortController();
  const running = informers.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
  });
  await clock.settle();
  return reader;
});
