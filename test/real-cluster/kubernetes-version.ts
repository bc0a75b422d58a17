import { execFileSync } from "node:child_process";
import path from "node:path";
import type { TestContext } from "vitest";

/** The version of the programs in TRIMTAB_CONTROL_PLANE, such as 1.36.4, as they say themselves; `undefined` without them. */
export const kubernetesVersion: string | undefined = readVersion();

function readVersion(): string | undefined {
  const binaries = process.env["TRIMTAB_CONTROL_PLANE"];
  if (binaries === undefined) return undefined;
  const said = execFileSync(path.join(binaries, "kube-apiserver"), ["--version"], { encoding: "utf8" });
  const [, version] = /^Kubernetes v(\S+)/.exec(said) ?? [];
  if (version === undefined) throw new Error(`kube-apiserver --version: ${said}`);
  return version;
}

/** Whether the control plane is of this minor version of Kubernetes 1 or a later one. */
export function isKubernetesSince(minor: number): boolean {
  return kubernetesVersion === undefined || Number(kubernetesVersion.split(".")[1]) >= minor;
}

/** Whether the control plane is of the minor version whose answers, sentences and choices ours are compared with. */
export const isComparedVersion = kubernetesVersion === undefined || kubernetesVersion.startsWith("1.36.");

/** Skips a test, and says why, where the control plane is older than what it is about. */
export function skipBefore(minor: number, what: string, skip: TestContext["skip"]): void {
  if (!isKubernetesSince(minor)) skip(`skipped: Kubernetes ${kubernetesVersion} has no ${what}`);
}

/** The minor version that has a feature gate first; all others are older than any version that is run here. */
const gatesSince: Readonly<Record<string, number>> = { DeploymentReplicaSetTerminatingReplicas: 33 };

/** The gates without those that this version does not know: to switch one of them off changes nothing. */
export function knownGates(gates: Readonly<Record<string, boolean>>): Readonly<Record<string, boolean>> {
  const known = Object.entries(gates).filter(
    ([name, isOn]) => isOn || isKubernetesSince(gatesSince[name] ?? 0),
  );
  return Object.fromEntries(known);
}
