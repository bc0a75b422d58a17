import { checkDeploymentScale } from "./deployment-scale.ts";
import { checkDownscaleOrder } from "./downscale-order.ts";
import { checkFenceposts } from "./fenceposts.ts";
import { checkRemovalOrder } from "./removal-order.ts";
import { checkReplacementNewSize } from "./replacement-new-size.ts";
import { checkReplacementScale } from "./replacement-scale.ts";
import { checkRollingNew } from "./rolling-new.ts";
import { checkRollingOld } from "./rolling-old.ts";
import { checkSchedule } from "./schedule.ts";
import { checkSpread } from "./spread.ts";

/** Runs one case and says what differed; `undefined` when it passes. */
export type Check = (vector: unknown) => string | undefined;

/** Every kind of vector we know, one line each. */
export const kinds: Readonly<Record<string, Check>> = {
  "downscale-order": checkDownscaleOrder,
  "removal-order": checkRemovalOrder,
  fenceposts: checkFenceposts,
  "deployment-scale": checkDeploymentScale,
  "rolling-new": checkRollingNew,
  "rolling-old": checkRollingOld,
  "replacement-new-size": checkReplacementNewSize,
  "replacement-scale": checkReplacementScale,
  spread: checkSpread,
  schedule: checkSchedule,
};
