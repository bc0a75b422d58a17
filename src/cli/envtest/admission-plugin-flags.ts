import type { OptionalAdmission } from "../../cluster/apiserver/server-context.ts";
import { type GivenFlags, commaSeparated } from "./command-line-flags.ts";

/** The admission plugins of kube-apiserver that are always on here, because they are on there. */
const alwaysOn: ReadonlySet<string> = new Set([
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "LimitRanger",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionWebhook",
  "NamespaceLifecycle",
  "PersistentVolumeClaimResize",
  "PodTopologyLabels",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
  "StorageObjectInUseProtection",
  "TaintNodesByCondition",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
]);

/** Those that may be off. */
const optional: ReadonlySet<string> = new Set<OptionalAdmission>(["ServiceAccount"]);

/** Those that are on in kube-apiserver and that do nothing here, so that switching them off changes nothing. */
const absent: ReadonlySet<string> = new Set([
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "ClusterTrustBundleAttest",
  "DefaultIngressClass",
  "PodSecurity",
]);

export type ReadAdmission =
  | { readonly ok: true; readonly disabled: ReadonlySet<OptionalAdmission> }
  | { readonly ok: false; readonly problem: string };

/** Reads which admission plugins are off; refuses to switch one that cannot be. */
export function readAdmissionPlugins(flags: GivenFlags): ReadAdmission {
  const disabled = commaSeparated(flags, "disable-admission-plugins");
  const enabled = commaSeparated(flags, "enable-admission-plugins");
  const stuck = disabled.find((name) => !optional.has(name) && !absent.has(name));
  if (stuck !== undefined) return refusal("disable-admission-plugins", stuck);
  const missing = enabled.find((name) => !optional.has(name) && !alwaysOn.has(name));
  if (missing !== undefined) return refusal("enable-admission-plugins", missing);
  const both = enabled.find((name) => disabled.includes(name));
  if (both !== undefined)
    return {
      ok: false,
      problem: `${both} in enable-admission-plugins and disable-admission-plugins overlapped`,
    };
  return { ok: true, disabled: new Set(disabled.includes("ServiceAccount") ? ["ServiceAccount"] : []) };
}

function refusal(flag: string, name: string): ReadAdmission {
  const what = flag.startsWith("disable") ? "it is always on here" : "it does not exist here";
  const isKnown = alwaysOn.has(name) || absent.has(name);
  const problem = isKnown ? what : "is unknown here";
  return {
    ok: false,
    problem: `${flag} plugin ${JSON.stringify(name)} ${isKnown ? `is not supported: ${problem}` : problem}`,
  };
}
