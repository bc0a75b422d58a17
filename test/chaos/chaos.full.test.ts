import { describeStories } from "./chaos.contract.ts";

describeStories(50, 500);
