import { describe } from "vitest";
import type { TestTransport } from "../../src/testing/test-cluster.ts";
import { describeFailing } from "./failures.contract.ts";
import { startSchedulerFixture, type StartSchedulerFixture } from "./fixture.ts";
import { describePlacing } from "./placement.contract.ts";

describe.for<TestTransport>(["in-process", "https"])("the scheduler, %s", (transport) => {
  const start: StartSchedulerFixture = (options) => startSchedulerFixture({ ...options, transport });
  describePlacing(start);
  describeFailing(start);
});
