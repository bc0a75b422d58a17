import type {
  ClusterTrustBundleProjection,
  PodCertificateProjection,
  Volume,
  VolumeProjection,
} from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";

/** A file of a volume, and what it comes from where the volume has several sources. */
interface ProjectedFile {
  readonly path: string;
  readonly source: string;
}

/** Files of a volume of which one hides another, or is where another needs a directory. */
export function volumePathWarnings(volumes: readonly Sent<Volume>[] | undefined): readonly string[] {
  return (volumes ?? []).flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const title = `volume ${quoted(name)}`;
    const overlaps = (what: string, files: readonly ProjectedFile[]) =>
      overlapsIn(files).map((overlap) => `${title} (${what}): overlapping paths: ${overlap}`);
    return [
      ...(configMap ? overlaps(`ConfigMap ${quoted(configMap.name)}`, filesOf(configMap.items)) : []),
      ...(secret ? overlaps(`Secret ${quoted(secret.secretName)}`, filesOf(secret.items)) : []),
      ...(downwardAPI ? overlaps("DownwardAPI", filesOf(downwardAPI.items)) : []),
      ...(projected?.sources ?? [])
        .filter((source) => Object.keys(source).length === 0)
        .map(() => `${title} (Projected) has no sources provided`),
      ...(projected?.sources ? overlaps("Projected", projected.sources.flatMap(filesOfSource)) : []),
    ];
  });
}

const quoted = (name = "") => JSON.stringify(name);

const filesOf = (items: readonly { readonly path?: string }[] = [], source = "") =>
  items.map(({ path = "" }) => ({ path, source }));

/** A source is one of these; the others are absent. */
function filesOfSource(source: Sent<VolumeProjection>): readonly ProjectedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  if (configMap !== undefined) return filesOf(configMap.items, `ConfigMap ${quoted(configMap.name)}`);
  if (secret !== undefined) return filesOf(secret.items, `Secret ${quoted(secret.name)}`);
  if (downwardAPI !== undefined) return filesOf(downwardAPI.items, "DownwardAPI");
  if (serviceAccountToken !== undefined) return filesOf([serviceAccountToken], "ServiceAccountToken");
  if (clusterTrustBundle !== undefined) return bundleFiles(clusterTrustBundle);
  return certificateFiles(source.podCertificate);
}

function bundleFiles(bundle: Sent<ClusterTrustBundleProjection>): readonly ProjectedFile[] {
  const { name, signerName, path = "" } = bundle;
  return [{ path, source: `ClusterTrustBundle ${quoted(name ?? signerName)}` }];
}

function certificateFiles(certificate: Sent<PodCertificateProjection> = {}): readonly ProjectedFile[] {
  const { certificateChainPath = "", keyPath = "", credentialBundlePath = "" } = certificate;
  return [
    { path: certificateChainPath, source: "PodCertificate chain" },
    { path: keyPath, source: "PodCertificate key" },
    { path: credentialBundlePath, source: "PodCertificate credential bundle" },
  ];
}

/** Files that are compared, each with all before it, and overlaps that are named: no other request is served meanwhile. */
const most = { files: 200, overlaps: 20 };

/** `"a/b" with "a"`, for each file and those before it. */
function overlapsIn(files: readonly ProjectedFile[]): readonly string[] {
  const named = files
    .slice(0, most.files)
    .filter(({ path }) => path !== "")
    .map((file) => ({ ...file, directory: `${file.path.replace(/\/+$/, "")}/` }));
  const overlaps = named.flatMap((file, index) =>
    named
      .slice(0, index)
      .filter(({ directory }) => directory.startsWith(file.directory) || file.directory.startsWith(directory))
      .map((other) => [file, other] as const),
  );
  return overlaps.slice(0, most.overlaps).map(([file, other]) => `${textOf(file)} with ${textOf(other)}`);
}

const textOf = ({ path, source }: ProjectedFile) => {
  const text = JSON.stringify(path.replace(/\/+$/, ""));
  return source === "" ? text : `${text} (${source})`;
};
