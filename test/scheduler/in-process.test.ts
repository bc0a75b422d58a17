import { describe } from "vitest";
import { describeFailing } from "./failures.contract.ts";
import { describePlacing } from "./placement.contract.ts";
import { startSchedulerFixture } from "./fixture.ts";

describe("the scheduler, in process", () => {
  describePlacing(startSchedulerFixture);
  describeFailing(startSchedulerFixture);
});
