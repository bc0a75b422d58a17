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
  return (volumes ?? []).flatMap((volume) => {
    const { name = "", configMap, secret, downwardAPI, projected } = volume;
    const title = `volume ${JSON.stringify(name)}`;
    const overlaps = (what: string, files: readonly ProjectedFile[]) =>
      overlapsIn(files).map((overlap) => `${title} (${what}): overlapping paths: ${overlap}`);
    const sources = projected?.sources ?? [];
    return [
      ...overlaps(`ConfigMap ${quoted(configMap?.name)}`, filesOf(configMap?.items)),
      ...overlaps(`Secret ${quoted(secret?.secretName)}`, filesOf(secret?.items)),
      ...overlaps("DownwardAPI", filesOf(downwardAPI?.items)),
      ...sources.flatMap((source) =>
        Object.keys(source).length === 0 ? [`${title} (Projected) has no sources provided`] : [],
      ),
      ...overlaps("Projected", sources.flatMap(filesOfSource)),
    ];
  });
}

const quoted = (name = "") => JSON.stringify(name);

const filesOf = (items: readonly { readonly path?: string }[] = [], source = "") =>
  items.map(({ path = "" }) => ({ path, source }));

/** A source is one of these; the others are absent. */
function filesOfSource(source: Sent<VolumeProjection>): readonly ProjectedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  return [
    ...filesOf(configMap?.items, `ConfigMap ${quoted(configMap?.name)}`),
    ...filesOf(secret?.items, `Secret ${quoted(secret?.name)}`),
    ...filesOf(downwardAPI?.items, "DownwardAPI"),
    ...filesOf(serviceAccountToken && [serviceAccountToken], "ServiceAccountToken"),
    ...bundleFiles(clusterTrustBundle),
    ...certificateFiles(source.podCertificate),
  ];
}

function bundleFiles(bundle: Sent<ClusterTrustBundleProjection> = {}): readonly ProjectedFile[] {
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

/** Each is compared with all before it, while no other request is served. */
const mostCompared = 500;

/** `"a/b" with "a"`, for each file and those before it. */
function overlapsIn(files: readonly ProjectedFile[]): readonly string[] {
  const named = files
    .slice(0, mostCompared)
    .map(({ path, source }) => ({ path: path.replace(/\/+$/, ""), source }))
    .filter(({ path }) => path !== "")
    .map((file) => ({ text: textOf(file), directory: `${file.path}/` }));
  return named.flatMap(({ text, directory }, index) =>
    named
      .slice(0, index)
      .filter((other) => directory.startsWith(other.directory) || other.directory.startsWith(directory))
      .map((other) => `${text} with ${other.text}`),
  );
}

const textOf = ({ path, source }: ProjectedFile) =>
  source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
