import { describeRandomFailures } from "./random-failures.contract.ts";

describeRandomFailures(200);
