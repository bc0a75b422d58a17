import { describe } from "vitest";
import { describeFailing } from "./failing.contract.ts";
import { describePlacing } from "./placing.contract.ts";
import { startOverHttps } from "./world.ts";

describe("the scheduler, over HTTPS", () => {
  describePlacing(startOverHttps);
  describeFailing(startOverHttps);
});
