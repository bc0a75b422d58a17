import { apiserver } from "./apiserver.ts";
import { autoscaling } from "./autoscaling.ts";
import { cluster } from "./cluster.ts";
import { deployment } from "./deployment.ts";
import { durable } from "./durable.ts";
import { eventLoop } from "./event-loop.ts";
import { explain } from "./explain.ts";
import { kubelet } from "./kubelet.ts";
import type { Measure } from "./measure.ts";
import { page } from "./page.ts";
import { picker } from "./picker.ts";
import { placement } from "./placement.ts";
import { planning } from "./planning.ts";
import { ranking } from "./ranking.ts";
import { realCluster } from "./real-cluster.ts";
import { realSteering } from "./real-steering.ts";
import { replicaset } from "./replicaset.ts";
import { scheduler, schedulerPerf } from "./scheduler.ts";
import { simulate } from "./simulate.ts";
import { simulation } from "./simulation.ts";
import { webhooks } from "./webhooks.ts";
import { whatif } from "./whatif.ts";
import { steering } from "./steering.ts";

/** Every bench by name, one line each. */
export const benches: Readonly<Record<string, () => readonly Measure[] | Promise<readonly Measure[]>>> = {
  apiserver,
  autoscaling,
  cluster,
  deployment,
  durable,
  "event-loop": eventLoop,
  explain,
  kubelet,
  page,
  picker,
  placement,
  planning,
  ranking,
  "real-cluster": realCluster,
  "real-steering": realSteering,
  replicaset,
  scheduler,
  "scheduler-perf": schedulerPerf,
  simulate,
  simulation,
  webhooks,
  whatif,
  steering,
};
