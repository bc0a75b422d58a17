import type { Node, PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import { type Draft, isBeingDeleted, keyOf } from "../../api/object.ts";
import {
  bindCompletedAnnotation,
  failProvisioningAnnotation,
  selectedNodeAnnotation,
  simulatedProvisioner,
} from "../../api/volume-names.ts";
import { isObject, labelOf, stringOf } from "../placement/objects/reading.ts";
import { provisionedVolume } from "./provisioned-volume.ts";
import { isProvisioned, waitsForConsumer } from "./storage-class.ts";
import { chooseVolume, classNameOf, isReservedFor, misfitOf } from "./volume-match.ts";

/** What the volume of a claim depends on. */
export interface ClaimState {
  readonly claim: PersistentVolumeClaim;
  /** The volume that the claim names. */
  readonly named?: PersistentVolume | undefined;
  /** A volume that is kept for the claim. */
  readonly reserved?: PersistentVolume | undefined;
  /** The volumes that no claim has. */
  readonly available: readonly PersistentVolume[];
  /** The class that the claim names. */
  readonly storageClass?: StorageClass | undefined;
  readonly defaultClass?: StorageClass | undefined;
  /** The Pods that use the claim and have no node, by name. */
  readonly waitingPods: readonly string[];
  readonly nodes: readonly Node[];
  /** The node that the claim says the scheduler selected. */
  readonly selectedNode?: Node | undefined;
}

/** What becomes of a claim, and why. */
export type ClaimOutcome =
  | { readonly kind: "bound"; readonly volume: string; readonly because: BoundBecause }
  | { readonly kind: "classified"; readonly storageClass: string }
  | { readonly kind: "provisioned"; readonly volume: string; readonly node?: string }
  | { readonly kind: "waits"; readonly for: WaitsFor; readonly detail?: string }
  | { readonly kind: "lost"; readonly detail: string };

export type BoundBecause = "kept-for-it" | "best-fit" | "named" | "bound-before";

export type WaitsFor =
  | "first-consumer"
  | "pod-scheduled"
  | "external-provisioner"
  | "a-class"
  | "a-volume"
  | "the-named-volume"
  | "provisioning-to-succeed"
  | "its-deletion";

/** A write, in the order of the plan, or an event about the claim. */
export type ClaimAction =
  | { readonly kind: "assign-class"; readonly storageClass: string }
  | { readonly kind: "ask-provisioner"; readonly provisioner: string }
  | { readonly kind: "create-volume"; readonly volume: Draft<PersistentVolume> }
  | { readonly kind: "bind"; readonly volume: PersistentVolume }
  | { readonly kind: "drop-selected-node" }
  | { readonly kind: "set-phase"; readonly phase: "Pending" | "Lost" }
  | ClaimEvent;

/** An event about the claim; `by` is the component that it comes from. */
export interface ClaimEvent {
  readonly kind: "event";
  readonly by: "binder" | "provisioner";
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What to do for a claim, and what becomes of it. */
export interface ClaimPlan {
  readonly outcome: ClaimOutcome;
  readonly actions: readonly ClaimAction[];
}

/** Decides which volume a claim gets, or what it waits for. */
export function planClaim(state: ClaimState): ClaimPlan {
  const { claim, named, reserved } = state;
  if (isComplete(claim)) return planBound(state);
  if (isBeingDeleted(claim)) return { outcome: { kind: "waits", for: "its-deletion" }, actions: [] };
  if (stringOf(claim.spec?.volumeName) !== "") return planNamed(claim, named);
  return reserved === undefined ? planUnbound(state) : bind(reserved, "kept-for-it");
}

function planUnbound(state: ClaimState): ClaimPlan {
  const { claim, storageClass } = state;
  if (waitsForConsumer(storageClass)) {
    if (selectedNodeOf(claim) === "") return waitForConsumer(state);
  } else {
    // The claim of a Pod with a node gets only the volume that the scheduler reserved: the node may not reach another one.
    const found = chooseVolume(claim, state);
    if (found !== undefined) return bind(found, "best-fit");
  }
  return storageClass === undefined ? planWithoutClass(state) : planProvisioning(state, storageClass);
}

/** The node that the scheduler selected for the first Pod of a claim; "" when it has not. */
export function selectedNodeOf({ metadata }: PersistentVolumeClaim): string {
  return labelOf(metadata?.annotations, selectedNodeAnnotation) ?? "";
}

/** Whether the binding of a claim is complete. */
export function isClaimBound({ metadata, spec, status }: PersistentVolumeClaim): boolean {
  return stringOf(spec?.volumeName) !== "" && (isComplete({ metadata }) || status?.phase === "Bound");
}

function isComplete({ metadata }: Pick<PersistentVolumeClaim, "metadata">): boolean {
  return labelOf(metadata?.annotations, bindCompletedAnnotation) !== undefined;
}

function planBound({ claim, named }: ClaimState): ClaimPlan {
  if (named === undefined)
    return lost(claim, "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  if (!isObject(named.spec?.claimRef) || isReservedFor(named, claim)) return bind(named, "bound-before");
  const message = "Two claims are bound to the same volume, this one is bound incorrectly";
  return lost(claim, "ClaimMisbound", message);
}

function lost({ status }: PersistentVolumeClaim, reason: string, detail: string): ClaimPlan {
  const outcome: ClaimOutcome = { kind: "lost", detail };
  if (status?.phase === "Lost") return { outcome, actions: [] };
  return { outcome, actions: [{ kind: "set-phase", phase: "Lost" }, warning(reason, detail)] };
}

/** A claim that asks for one volume by its name gets that or none. */
function planNamed(claim: PersistentVolumeClaim, named: PersistentVolume | undefined): ClaimPlan {
  const name = stringOf(claim.spec?.volumeName);
  const waits = (detail: string, events: readonly ClaimAction[]) =>
    waiting({ kind: "waits", for: "the-named-volume", detail }, events);
  if (named === undefined) return waits(`there is no volume "${name}"`, []);
  if (isReservedFor(named, claim)) return bind(named, "named");
  if (isObject(named.spec?.claimRef)) {
    const message = `volume "${name}" already bound to a different claim.`;
    return waits(message, [warning("FailedBinding", message)]);
  }
  const misfit = misfitOf(named, claim);
  if (misfit === undefined) return bind(named, "named");
  return waits(misfit, [warning("VolumeMismatch", `Cannot bind to requested volume "${name}": ${misfit}`)]);
}

function bind(volume: PersistentVolume, because: BoundBecause): ClaimPlan {
  return {
    outcome: { kind: "bound", volume: volume.metadata.name, because },
    actions: [{ kind: "bind", volume }],
  };
}

function waiting(outcome: ClaimOutcome, events: readonly ClaimAction[]): ClaimPlan {
  return { outcome, actions: [...events, { kind: "set-phase", phase: "Pending" }] };
}

function waitForConsumer({ waitingPods }: ClaimState): ClaimPlan {
  if (waitingPods.length === 0) {
    const message = "waiting for first consumer to be created before binding";
    return waiting({ kind: "waits", for: "first-consumer" }, [normal("WaitForFirstConsumer", message)]);
  }
  const names = `${waitingPods.length === 1 ? "pod" : "pods"} ${waitingPods.join(",")}`;
  const message = `waiting for ${names} to be scheduled`;
  const outcome: ClaimOutcome = { kind: "waits", for: "pod-scheduled", detail: names };
  return waiting(outcome, [normal("WaitForPodScheduled", message)]);
}

/** A claim whose class does not exist, or that has none. */
function planWithoutClass({ claim, defaultClass }: ClaimState): ClaimPlan {
  const wanted = classNameOf(claim);
  if (wanted === undefined && defaultClass !== undefined) {
    const storageClass = defaultClass.metadata.name;
    return {
      outcome: { kind: "classified", storageClass },
      actions: [{ kind: "assign-class", storageClass }],
    };
  }
  if (wanted !== undefined && wanted !== "") {
    const message = `storageclass.storage.k8s.io "${wanted}" not found`;
    return waiting({ kind: "waits", for: "a-class", detail: wanted }, [
      warning("ProvisioningFailed", message),
    ]);
  }
  const message = "no persistent volumes available for this claim and no storage class is set";
  return waiting({ kind: "waits", for: "a-volume" }, [normal("FailedBinding", message)]);
}

function planProvisioning(state: ClaimState, storageClass: StorageClass): ClaimPlan {
  const { claim, nodes, selectedNode } = state;
  const provisioner = stringOf(storageClass.provisioner);
  if (!isProvisioned(storageClass)) {
    const message = `no volume plugin matched name: ${provisioner}`;
    return waiting({ kind: "waits", for: "a-volume" }, [warning("ProvisioningFailed", message)]);
  }
  const asked = askProvisioner(provisioner);
  if (provisioner !== simulatedProvisioner)
    return waiting({ kind: "waits", for: "external-provisioner", detail: provisioner }, asked);
  const problem = provisioningProblem(state, storageClass);
  if (problem !== undefined) return failProvisioning(state, { asked, problem });
  const volume = provisionedVolume({ claim, storageClass, nodes, selectedNode });
  const { name = "" } = volume.metadata;
  const node = selectedNodeOf(claim);
  return {
    outcome: { kind: "provisioned", volume: name, ...(node !== "" && { node }) },
    actions: [
      ...asked,
      fromProvisioner(
        "Normal",
        "Provisioning",
        `External provisioner is provisioning volume for claim "${keyOf(claim)}"`,
      ),
      { kind: "create-volume", volume },
      fromProvisioner("Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${name}`),
    ],
  };
}

function askProvisioner(provisioner: string): readonly ClaimAction[] {
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the ` +
    "system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.";
  return [{ kind: "ask-provisioner", provisioner }, normal("ExternalProvisioning", message)];
}

/** Why the simulated provisioner makes no volume: a simulated failure, or a node that is gone. */
function provisioningProblem(
  { claim, selectedNode }: ClaimState,
  { metadata }: StorageClass,
): string | undefined {
  const failure = labelOf(metadata.annotations, failProvisioningAnnotation);
  if (failure !== undefined) return failure;
  const node = selectedNodeOf(claim);
  return node !== "" && selectedNode === undefined ? `node "${node}" not found` : undefined;
}

/** Lets the scheduler choose another node. */
function failProvisioning(
  { claim, storageClass }: ClaimState,
  { asked, problem }: { readonly asked: readonly ClaimAction[]; readonly problem: string },
): ClaimPlan {
  const message = `failed to provision volume with StorageClass "${storageClass?.metadata.name ?? ""}": ${problem}`;
  const dropped: readonly ClaimAction[] =
    selectedNodeOf(claim) === "" ? [] : [{ kind: "drop-selected-node" }];
  return waiting({ kind: "waits", for: "provisioning-to-succeed", detail: problem }, [
    ...asked,
    fromProvisioner("Warning", "ProvisioningFailed", message),
    ...dropped,
  ]);
}

function event(by: ClaimEvent["by"]) {
  return (type: ClaimEvent["type"], reason: string, message: string): ClaimEvent => ({
    kind: "event",
    by,
    type,
    reason,
    message,
  });
}

const fromProvisioner = event("provisioner");
const normal = (reason: string, message: string) => event("binder")("Normal", reason, message);
const warning = (reason: string, message: string) => event("binder")("Warning", reason, message);
