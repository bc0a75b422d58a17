import { extended } from "../../../api/extended.ts";
import type { Pod, PodSpec, ServiceAccount } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { mirrorAnnotation } from "../../../api/pod-state.ts";
import { type Admission, admit, deny } from "./admission.ts";

const defaultAccount = "default";

/** Finds a service account in the Pod's namespace. */
export type ServiceAccountLookup = (name: string) => Sent<ServiceAccount> | undefined;

/** Returns the Pod with a service account that exists, and with its image pull secrets if the Pod has none. */
export function assignServiceAccount(pod: Sent<Pod>, find: ServiceAccountLookup): Admission<Sent<Pod>> {
  const { metadata = {}, spec = {} } = pod;
  const { serviceAccountName: wanted = "" } = spec;
  // A mirror Pod represents a static Pod of a kubelet: it has no account, and nothing may be added to it.
  if (metadata.annotations?.[mirrorAnnotation] !== undefined)
    return wanted === "" ? admit(pod) : deny("a mirror pod may not reference service accounts");
  const name = wanted === "" ? defaultAccount : wanted;
  const account = find(name);
  return account === undefined
    ? deny(noAccount(metadata.namespace, name))
    : admit(withAccount(pod, name, account));
}

function noAccount(namespace: string | undefined, name: string): string {
  return `error looking up service account ${namespace ?? ""}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
}

function withAccount(
  pod: Sent<Pod>,
  name: string,
  { imagePullSecrets = [] }: Sent<ServiceAccount>,
): Sent<Pod> {
  const named: Sent<PodSpec> = extended(pod.spec, { serviceAccountName: name, serviceAccount: name });
  const hasOwn = (named.imagePullSecrets ?? []).length > 0;
  const inherits = !hasOwn && imagePullSecrets.length > 0;
  return { ...pod, spec: inherits ? extended(named, { imagePullSecrets }) : named };
}
