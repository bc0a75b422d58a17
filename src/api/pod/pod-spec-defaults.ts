import type {
  Container,
  DownwardAPIVolumeFile,
  EnvVar,
  EphemeralContainer,
  HTTPGetAction,
  LifecycleHandler,
  ObjectFieldSelector,
  PodSpec,
  Probe,
  Volume,
  VolumeProjection,
} from "../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers, type MemberMaps } from "../defaulting.ts";
import type { Sent } from "../sent.ts";

const specMembers: MemberMaps<Sent<PodSpec>> = {
  volumes: eachItem(volumeDefaults),
  initContainers: eachItem(containerDefaults),
  containers: eachItem(containerDefaults),
  ephemeralContainers: eachItem((container: Sent<EphemeralContainer>) => containerDefaults(container)),
};

/**
 * The defaults of a Pod's spec, in Pods and in templates. The templates of Deployments and ReplicaSets and the spec of
 * Pods all go through this function: if they differed in one empty object, a Deployment would start rollouts for ever.
 */
export function podSpecDefaults(spec: Sent<PodSpec>): Sent<PodSpec> {
  const texts = { dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" };
  const filled = fillAbsent(fillEmpty(spec, texts), {
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  return mapMembers(withBothAccountNames(filled), specMembers);
}

/** `serviceAccount` is the old name of `serviceAccountName`; both always have the same value. */
function withBothAccountNames(spec: Sent<PodSpec>): Sent<PodSpec> {
  const name = spec.serviceAccountName === "" ? undefined : spec.serviceAccountName;
  const account = name ?? spec.serviceAccount ?? "";
  if (account === "" || (name === account && spec.serviceAccount === account)) return spec;
  return { ...spec, serviceAccountName: account, serviceAccount: account };
}

const containerMembers: MemberMaps<Sent<Container>> = {
  ports: eachItem((port) => fillEmpty(port, { protocol: "TCP" })),
  env: eachItem(envDefaults),
  livenessProbe: probeDefaults,
  readinessProbe: probeDefaults,
  startupProbe: probeDefaults,
  lifecycle: (lifecycle) => mapMembers(lifecycle, { postStart: hookDefaults, preStop: hookDefaults }),
};

/** A container of a Pod or of a template with its defaults. */
function containerDefaults(container: Sent<Container>): Sent<Container> {
  const filled = fillEmpty(container, {
    imagePullPolicy: defaultPullPolicy(container.image),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  return mapMembers(fillAbsent(filled, { resources: {} }), containerMembers);
}

function envDefaults(variable: Sent<EnvVar>): Sent<EnvVar> {
  return mapMembers(variable, {
    valueFrom: (source) =>
      mapMembers(source, {
        fieldRef: fieldRefDefaults,
        fileKeyRef: (ref) => fillAbsent(ref, { optional: false }),
      }),
  });
}

/** A reference to a field of the Pod itself, which is one of version v1. */
function fieldRefDefaults(ref: Sent<ObjectFieldSelector>): Sent<ObjectFieldSelector> {
  return fillEmpty(ref, { apiVersion: "v1" });
}

/** The default pull policy of an image: the tag `latest`, explicit or implied, is always pulled. */
function defaultPullPolicy(image: string | undefined): "Always" | "IfNotPresent" {
  return image !== undefined && tagOf(image) === "latest" ? "Always" : "IfNotPresent";
}

/** The tag of an image reference; `undefined` if it has only a digest or is not a valid reference. */
function tagOf(image: string): string | undefined {
  const [reference = "", digest] = image.split("@", 2);
  const afterSlash = reference.slice(reference.lastIndexOf("/") + 1);
  const colon = afterSlash.indexOf(":");
  if (colon >= 0) return afterSlash.slice(colon + 1);
  // A repository is lower case; anything else cannot be parsed and has no tag, not even an implied one.
  const isRepository = afterSlash !== "" && !/[A-Z\s]/.test(afterSlash);
  return digest === undefined && isRepository ? "latest" : undefined;
}

const probeMembers: MemberMaps<Sent<Probe>> = {
  httpGet: httpGetDefaults,
  grpc: (action) => fillAbsent(action, { service: "" }),
};

/** A probe with its timing filled in. */
function probeDefaults(probe: Sent<Probe>): Sent<Probe> {
  const timing = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  return mapMembers(fillEmpty(probe, timing), probeMembers);
}

/** A lifecycle hook with its request filled in. */
function hookDefaults(hook: Sent<LifecycleHandler>): Sent<LifecycleHandler> {
  return mapMembers(hook, { httpGet: httpGetDefaults });
}

function httpGetDefaults(action: Sent<HTTPGetAction>): Sent<HTTPGetAction> {
  return fillEmpty(action, { path: "/", scheme: "HTTP" });
}

const readableFiles = { defaultMode: 0o644 };
const files = eachItem((file: Sent<DownwardAPIVolumeFile>) =>
  mapMembers(file, { fieldRef: fieldRefDefaults }),
);

const projections: MemberMaps<Sent<VolumeProjection>> = {
  serviceAccountToken: (token) => fillAbsent(token, { expirationSeconds: 3600 }),
  downwardAPI: (source) => mapMembers(source, { items: files }),
};

// The last five are declared as defaults in the schema; no volume of these types is mounted here.
const sources: MemberMaps<Sent<Volume>> = {
  secret: (source) => fillAbsent(source, readableFiles),
  configMap: (source) => fillAbsent(source, readableFiles),
  downwardAPI: (source) => mapMembers(fillAbsent(source, readableFiles), { items: files }),
  projected: (source) =>
    mapMembers(fillAbsent(source, readableFiles), {
      sources: eachItem((projection) => mapMembers(projection, projections)),
    }),
  hostPath: (source) => fillAbsent(source, { type: "" }),
  image: (source) => fillEmpty(source, { pullPolicy: defaultPullPolicy(source.reference) }),
  ephemeral: (source) =>
    mapMembers(source, {
      volumeClaimTemplate: (template) =>
        mapMembers(template, { spec: (spec) => fillAbsent(spec, { volumeMode: "Filesystem" }) }),
    }),
  iscsi: (source) => fillEmpty(source, { iscsiInterface: "default" }),
  rbd: (source) => fillEmpty(source, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  azureDisk: (source) =>
    fillAbsent(source, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  scaleIO: (source) => fillEmpty(source, { storageMode: "ThinProvisioned", fsType: "xfs" }),
};

/** A volume with its defaults; a volume without a source is an emptyDir. */
function volumeDefaults(volume: Sent<Volume>): Sent<Volume> {
  const hasSource = Object.keys(volume).some((key) => key !== "name");
  return hasSource ? mapMembers(volume, sources) : { ...volume, emptyDir: {} };
}
