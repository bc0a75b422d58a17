import type { ClusterFault } from "./cluster-fault.ts";
import { clockSkew } from "./clock-skew.ts";
import { compaction } from "./compaction.ts";
import { containerCrash } from "./container-crash.ts";
import { crash } from "./crash.ts";
import { diskFailure } from "./disk-failure.ts";
import { foreignDeletion } from "./foreign-deletion.ts";
import { nodeDeletion } from "./node-deletion.ts";
import { nodeFailure } from "./node-failure.ts";
import { outage } from "./outage.ts";
import { secondCopy } from "./second-copy.ts";
import { slowNode } from "./slow-node.ts";

/** All cluster faults, one line each. */
export const clusterFaults: readonly ClusterFault[] = [
  outage,
  compaction,
  crash,
  secondCopy,
  clockSkew,
  slowNode,
  nodeFailure,
  nodeDeletion,
  containerCrash,
  foreignDeletion,
  diskFailure,
];
