import { clusterViewContract } from "../../decisions/placement/view/cluster-view.contract.ts";
import { cacheOf } from "./scheduler-cache.cases.ts";

clusterViewContract("live", (objects) => cacheOf(objects).view);
