import { describe } from "vitest";
import { describeFailing } from "./failing.contract.ts";
import { describePlacing } from "./placing.contract.ts";
import { startWorld } from "./world.ts";

describe("the scheduler, in process", () => {
  describePlacing(startWorld);
  describeFailing(startWorld);
});
