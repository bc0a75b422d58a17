import { describeRuns } from "./chaos.contract.ts";

describeRuns(0, 50);
