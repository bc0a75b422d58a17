import { describe } from "vitest";
import { describeClaiming } from "./claiming.contract.ts";
import { describeCounting } from "./counting.contract.ts";
import { describeCreating } from "./creating.contract.ts";
import { describeReplicationControllers } from "./replication-controllers.contract.ts";
import { describeReporting } from "./reporting.contract.ts";
import { describeShrinking } from "./shrinking.contract.ts";
import { startOverHttps } from "./fixture.ts";

describe("ReplicaSets, over HTTPS", () => {
  describeCounting(startOverHttps);
  describeCreating(startOverHttps);
  describeShrinking(startOverHttps);
  describeClaiming(startOverHttps);
  describeReporting(startOverHttps);
  describeReplicationControllers(startOverHttps);
});
