import { describe } from "vitest";
import { describeFailing } from "./failures.contract.ts";
import { describePlacing } from "./placement.contract.ts";
import { startOverHttps } from "./fixture.ts";

describe("the scheduler, over HTTPS", () => {
  describePlacing(startOverHttps);
  describeFailing(startOverHttps);
});
