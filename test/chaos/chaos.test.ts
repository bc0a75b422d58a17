import { describeStories } from "./chaos.contract.ts";

describeStories(0, 50);
