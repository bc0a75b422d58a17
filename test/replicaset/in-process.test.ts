import { describe } from "vitest";
import { describeClaiming } from "./claiming.contract.ts";
import { describeCounting } from "./counting.contract.ts";
import { describeCreating } from "./creating.contract.ts";
import { describeReplicationControllers } from "./replication-controllers.contract.ts";
import { describeReporting } from "./reporting.contract.ts";
import { describeShrinking } from "./shrinking.contract.ts";
import { startInProcess } from "./fixture.ts";

describe("ReplicaSets, in process", () => {
  describeCounting(startInProcess);
  describeCreating(startInProcess);
  describeShrinking(startInProcess);
  describeClaiming(startInProcess);
  describeReporting(startInProcess);
  describeReplicationControllers(startInProcess);
});
