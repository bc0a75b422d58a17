import type { EphemeralContainer, PodSpec } from "../../../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../../defaulting.ts";
import type { Sent } from "../../sent.ts";
import { containerDefaults } from "./container.ts";
import { volumeDefaults } from "./volume.ts";

const members: MemberMaps<Sent<PodSpec>> = {
  volumes: eachItem(volumeDefaults),
  initContainers: eachItem(containerDefaults),
  containers: eachItem(containerDefaults),
  ephemeralContainers: eachItem((container: Sent<EphemeralContainer>) => containerDefaults(container)),
};

/**
 * The defaults of a Pod's spec wherever it stands. A Deployment's template, its ReplicaSets' and the Pods' own spec go
 * through this one function: were they to differ in a single empty object, the Deployment would roll for ever.
 */
export function podSpecDefaults(spec: Sent<PodSpec>): Sent<PodSpec> {
  const texts = { dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" };
  const filled = fillAbsent(fillEmpty(spec, texts), {
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  return mapMembers(withBothAccountNames(filled), members);
}

/** `serviceAccount` is the old name of `serviceAccountName`; whoever reads either finds the same. */
function withBothAccountNames(spec: Sent<PodSpec>): Sent<PodSpec> {
  const name = spec.serviceAccountName === "" ? undefined : spec.serviceAccountName;
  const account = name ?? spec.serviceAccount ?? "";
  if (account === "" || (name === account && spec.serviceAccount === account)) return spec;
  return { ...spec, serviceAccountName: account, serviceAccount: account };
}
