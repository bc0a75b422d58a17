import type { DownwardAPIVolumeFile, Volume, VolumeProjection } from "../../../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../../defaulting.ts";
import type { Sent } from "../../sent.ts";
import { fieldRefDefaults } from "./container.ts";
import { defaultPullPolicy } from "./image-pull-policy.ts";

const readableFiles = { defaultMode: 0o644 };
const files = eachItem((file: Sent<DownwardAPIVolumeFile>) =>
  mapMembers(file, { fieldRef: fieldRefDefaults }),
);

const projections: MemberMaps<Sent<VolumeProjection>> = {
  serviceAccountToken: (token) => fillAbsent(token, { expirationSeconds: 3600 }),
  downwardAPI: (source) => mapMembers(source, { items: files }),
};

// The last five are what the declared defaults of the schema say about disks nobody mounts here.
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

/** A volume with its defaults; one that says nothing of its source is an empty directory. */
export function volumeDefaults(volume: Sent<Volume>): Sent<Volume> {
  const hasSource = Object.keys(volume).some((key) => key !== "name");
  return hasSource ? mapMembers(volume, sources) : { ...volume, emptyDir: {} };
}
