import { profileFacts } from "../../scheduler/configuration/profile-facts.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { PageServerOptions } from "../../page/page.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { packageVersion } from "../installed-package.ts";

/** How a cluster is named and reached. */
interface ShownCluster {
  readonly name: string;
  readonly server: string;
  readonly featureGates: FeatureGates;
  readonly schedulerConfig: SchedulerConfig;
}

/** What the page of a cluster of `trimtab up` knows about it. */
export function embeddedFacts(cluster: ShownCluster): PageServerOptions["cluster"] {
  return {
    ...commonFacts(cluster),
    mode: "embedded",
    writes: true,
    records: ["decisions", "placements"],
    removalProfile: "trimtab",
  };
}

/** What the page of any other cluster knows: it has Kubernetes' own controllers, and its page only reads. */
export function otherFacts(cluster: ShownCluster): PageServerOptions["cluster"] {
  return {
    ...commonFacts(cluster),
    mode: "other",
    writes: false,
    records: [],
    removalProfile: "kubernetes-1.36",
  };
}

function commonFacts({ name, server, featureGates, schedulerConfig }: ShownCluster) {
  const schedulerProfiles = profileFacts(schedulerConfig);
  return { name, server, pageVersion: packageVersion(), featureGates, schedulerProfiles };
}
