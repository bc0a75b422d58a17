// Names by which components tell each other about volumes, as annotations, finalizers and provisioners.

/** Marks the default StorageClass, which claims without a class get. */
export const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

/** The annotation that older claims and volumes use instead of `storageClassName`. */
export const formerClassAnnotation = "volume.beta.kubernetes.io/storage-class";

/** Names the node that the scheduler chose for the first Pod of a claim. The volume is provisioned for that node. */
export const selectedNodeAnnotation = "volume.kubernetes.io/selected-node";

/** Marks a claim whose binding is complete. */
export const bindCompletedAnnotation = "pv.kubernetes.io/bind-completed";

/** Marks an object whose volume or claim was chosen by the binder, which may therefore undo the choice. */
export const boundByControllerAnnotation = "pv.kubernetes.io/bound-by-controller";

/** Names the provisioner that made a volume. */
export const provisionedByAnnotation = "pv.kubernetes.io/provisioned-by";

/** Asks a provisioner for a volume; provisioners of former versions read the second one. */
export const provisionerAnnotations = [
  "volume.kubernetes.io/storage-provisioner",
  "volume.beta.kubernetes.io/storage-provisioner",
] as const;

/** The provisioner of the embedded cluster, and the driver of its volumes. */
export const simulatedProvisioner = "sim.trimtab.dev/volumes";

/** The annotation of a StorageClass whose volumes cannot be made: it is the error of the provisioner. */
export const failProvisioningAnnotation = "sim.trimtab.dev/failProvisioning";

/** The provisioner of classes whose volumes are created by hand. */
export const noProvisioner = "kubernetes.io/no-provisioner";

/** Keeps a deleted claim while Pods use it. */
export const claimProtection = "kubernetes.io/pvc-protection";

/** Keeps a deleted volume while a claim has it. */
export const volumeProtection = "kubernetes.io/pv-protection";

/** Keeps a deleted volume until its provisioner has removed the storage behind it. */
export const provisionerProtection = "external-provisioner.volume.kubernetes.io/finalizer";
