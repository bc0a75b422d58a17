import { describeRuns } from "./chaos.contract.ts";

describeRuns(50, 500);
