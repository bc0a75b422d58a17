import { expect, onTestFinished, test } from "vitest";
import { nodes } from "../../api/resources.ts";
import { isUnreachable } from "../../cluster/kubelet/behaviour/node-behaviour.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { interceptClient, isWrite } from "../../machinery/client/intercept-client.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { Processes } from "../processes.ts";
import { startSimulatedCluster } from "../simulated-cluster.ts";
import { FaultSchedule } from "./fault-schedule.ts";
import { nodeDeletion, nodeFailure, NodeFaults } from "./node-faults.ts";

test.for([
  { fault: nodeFailure, takesEffect: true },
  { fault: nodeFailure, takesEffect: false },
  { fault: nodeDeletion, takesEffect: true },
  { fault: nodeDeletion, takesEffect: false },
])("$fault.name ends though writes are refused; the first takes effect: $takesEffect", async (row) => {
  const { fault, takesEffect } = row;
  const cluster = await startSimulatedCluster({ seed: 1, nodes: 2 });
  onTestFinished(() => cluster.stop());
  const { clock } = cluster;
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("faults"),
    probabilities: new Map(),
    injected: () => undefined,
  });
  let writes = 0;
  const client = interceptClient(cluster.client, {
    async call(call, send) {
      if (!isWrite(call) || ++writes > 3) return send();
      if (writes === 1 && takesEffect) await send();
      throw apiFailure(503, "ServiceUnavailable");
    },
  });
  schedule.start();
  const injected = fault.inject({
    cluster: { ...cluster, client },
    processes: new Processes({ observer: () => undefined, interceptors: () => [] }),
    schedule,
    nodeFaults: new NodeFaults(),
    random: seededRandom("node"),
    restartable: [],
  });
  await clock.runUntilSettled(injected);
  const { items } = await cluster.client.list(nodes, {});
  expect(items.map((node) => [node.metadata.name, isUnreachable(node)])).toEqual([
    ["node-1", false],
    ["node-2", false],
  ]);
});
