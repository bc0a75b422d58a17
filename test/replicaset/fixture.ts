import { expect, onTestFinished } from "vitest";
import type { Event } from "../../src/api/generated/core-v1.ts";
import { namespaces } from "../../src/api/resources.ts";
import type { DecisionLogs } from "../../src/cluster/decisions-endpoint.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import type { ObservedClient } from "../../src/testing/observe-client.ts";
import { type TestCluster, testCluster, type TestClusterOptions } from "../../src/testing/test-cluster.ts";
import { missingPermissions } from "../controllers/rbac.ts";

export type ReplicaSetFixtureOptions = Pick<
  TestClusterOptions,
  "gates" | "apiServerGates" | "nodes" | "pickerConnector" | "transport"
>;

/** A cluster in which the ReplicaSet controller and the replication manager are under test. */
export interface ReplicaSetFixture extends Pick<
  TestCluster,
  "clock" | "client" | "metrics" | "log" | "switchGates"
> {
  /** Their client; its requests are without those that record Events. */
  readonly controller: ObservedClient;
  /** The Events they have created. */
  readonly events: () => readonly Event[];
  readonly removals: DecisionLogs["removals"];
}

export type StartReplicaSetFixture = (options?: ReplicaSetFixtureOptions) => Promise<ReplicaSetFixture>;

const isEvent = ({ collection }: ClientCall) => collection === "events";

/** Starts a fixture, and stops it when the test is over. */
export async function startReplicaSetFixture(
  options: ReplicaSetFixtureOptions = {},
): Promise<ReplicaSetFixture> {
  const cluster = await testCluster({
    seed: "replicaset",
    observed: ["replicaset", "replicationmanager"],
    ...options,
  });
  const { observed } = cluster;
  onTestFinished(async () => {
    await cluster.stop();
    expect(missingPermissions(observed.requests), "what deploy/cluster-role.yaml does not allow").toEqual([]);
  });
  await cluster.client.create(namespaces, { metadata: { name: "elsewhere" }, spec: {} });
  await cluster.clock.settle();
  const controller: ObservedClient = {
    ...observed,
    get requests() {
      return observed.requests.filter((request) => !isEvent(request));
    },
  };
  return {
    ...cluster,
    controller,
    events: () =>
      observed.requests
        .filter((request) => isEvent(request) && request.verb === "create")
        .map(({ body }) => body as Event),
    removals: cluster.decisions.removals,
  };
}
