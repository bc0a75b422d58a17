import { describe } from "vitest";
import type { TestTransport } from "../../src/testing/test-cluster.ts";
import { describeClaiming } from "./claiming.contract.ts";
import { describeCounting } from "./counting.contract.ts";
import { describeCreating } from "./creating.contract.ts";
import { startReplicaSetFixture, type StartReplicaSetFixture } from "./fixture.ts";
import { describeReplicationControllers } from "./replication-controllers.contract.ts";
import { describeReporting } from "./reporting.contract.ts";
import { describeShrinking } from "./shrinking.contract.ts";

describe.for<TestTransport>(["in-process", "https"])("ReplicaSets, %s", (transport) => {
  const start: StartReplicaSetFixture = (options) => startReplicaSetFixture({ ...options, transport });
  describeCounting(start);
  describeCreating(start);
  describeShrinking(start);
  describeClaiming(start);
  describeReporting(start);
  describeReplicationControllers(start);
});
