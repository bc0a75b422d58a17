import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import { amountText, type Lines, sortedPairs } from "./describe-lines.ts";

type VolumeLines = (source: Json) => Lines;

/** The fields that are shown of a source, by the titles they have. */
function fields(
  type: string,
  shown: Readonly<Record<string, string | ((source: Json) => string)>>,
): VolumeLines {
  return (source) => [
    `    Type:\t${type}`,
    ...Object.entries(shown).map(
      ([title, value]) =>
        `    ${title}:\t${typeof value === "string" ? textAt(source, value) : value(source)}`,
    ),
  ];
}

const flag = (name: string) => (source: Json) => String(at(source, name) === true);

const csiAttributes = (source: Json): string => {
  const pairs = sortedPairs(mapAt(source, "volumeAttributes"));
  return pairs.length === 0 ? "<none>" : pairs.join("\n    \t");
};

const csiType = "CSI (a Container Storage Interface (CSI) volume source)";

const sources: Readonly<Record<string, VolumeLines>> = {
  hostPath: fields("HostPath (bare host directory volume)", {
    Path: "path",
    HostPathType: (source) => (at(source, "type") === undefined ? "<none>" : textAt(source, "type")),
  }),
  emptyDir: fields("EmptyDir (a temporary directory that shares a pod's lifetime)", {
    Medium: "medium",
    SizeLimit: (source) =>
      at(source, "sizeLimit") === undefined ? "<unset>" : amountText(at(source, "sizeLimit")),
  }),
  secret: fields("Secret (a volume populated by a Secret)", {
    SecretName: "secretName",
    Optional: flag("optional"),
  }),
  configMap: fields("ConfigMap (a volume populated by a ConfigMap)", {
    Name: "name",
    Optional: flag("optional"),
  }),
  nfs: fields("NFS (an NFS mount that lasts the lifetime of a pod)", {
    Server: "server",
    Path: "path",
    ReadOnly: flag("readOnly"),
  }),
  persistentVolumeClaim: fields(
    "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)",
    { ClaimName: "claimName", ReadOnly: flag("readOnly") },
  ),
  local: fields("LocalVolume (a persistent volume backed by local storage on a node)", { Path: "path" }),
  downwardAPI: (source) => [
    "    Type:\tDownwardAPI (a volume populated by information about the pod)",
    "    Items:",
    ...listAt(source, "items").map((item) => `      ${downwardField(item)} -> ${textAt(item, "path")}`),
  ],
  projected: (source) => [
    "    Type:\tProjected (a volume that contains injected data from multiple sources)",
    ...listAt(source, "sources").flatMap(projectedLines),
  ],
  csi: fields(csiType, {
    Driver: "driver",
    FSType: "fsType",
    ReadOnly: flag("readOnly"),
    VolumeAttributes: csiAttributes,
  }),
};

/** Of a PersistentVolume, which has a handle. */
const persistentCsi = fields(csiType, {
  Driver: "driver",
  FSType: "fsType",
  VolumeHandle: "volumeHandle",
  ReadOnly: flag("readOnly"),
  VolumeAttributes: csiAttributes,
});

const downwardField = (item: JsonObject) =>
  textAt(item, "fieldRef", "fieldPath") || textAt(item, "resourceFieldRef", "resource");

function projectedLines(source: JsonObject): Lines {
  const [secret, map, token] = [
    at(source, "secret"),
    at(source, "configMap"),
    at(source, "serviceAccountToken"),
  ];
  if (secret !== undefined)
    return [`    SecretName:\t${textAt(secret, "name")}`, `    Optional:\t${flag("optional")(secret)}`];
  if (at(source, "downwardAPI") !== undefined) return ["    DownwardAPI:\ttrue"];
  if (map !== undefined)
    return [`    ConfigMapName:\t${textAt(map, "name")}`, `    Optional:\t${flag("optional")(map)}`];
  return token === undefined ? [] : [`    TokenExpirationSeconds:\t${textAt(token, "expirationSeconds")}`];
}

/** The volumes of a Pod, or of a template, which are indented. */
export function volumeLines(volumes: readonly JsonObject[], space = ""): Lines {
  if (volumes.length === 0) return [`${space}Volumes:\t<none>`];
  const indent = space === "" ? "" : " ";
  return [
    `${space}Volumes:`,
    ...volumes.flatMap((volume) => [`  ${indent}${textAt(volume, "name")}:`, ...sourceLines(volume)]),
  ];
}

function sourceLines(volume: JsonObject): Lines {
  const [kind, lines] = Object.entries(sources).find(([name]) => volume[name] !== undefined) ?? [];
  return kind === undefined || lines === undefined ? ["  <unknown>"] : lines(volume[kind] ?? null);
}

/** Where a PersistentVolume is stored. */
export function persistentSourceLines(spec: Json | undefined): Lines {
  const csi = at(spec, "csi");
  if (csi !== undefined) return persistentCsi(csi).flatMap((line) => line.split("\n"));
  return sourceLines((spec ?? {}) as JsonObject);
}
