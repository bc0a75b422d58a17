import type {
  ClusterTrustBundleProjection,
  PodCertificateProjection,
  Volume,
  VolumeProjection,
} from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { overlappingPaths } from "./overlapping-paths.ts";

/** A file of a volume, and its source where the volume has several. */
interface ProjectedFile {
  readonly path: string;
  readonly source: string;
}

/** Warns of files in a volume that hide each other, or of which one is where another needs a directory. */
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

/** Returns the files of a source, which is one of these kinds. */
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

/** Limits the overlaps that are named per volume: more do not fit into the headers of a response. */
const mostNamed = 60;
/** Limits how often a repeated file is compared with the earlier ones; after that, only with those since. */
const mostRepeats = 2;

/** Returns `"a/b" with "a"` for each file and those before it. */
function overlapsIn(files: readonly ProjectedFile[]): readonly string[] {
  const named = files
    .map(({ path, source }) => ({ path: withoutLastSlashes(path), source }))
    .filter(({ path }) => path !== "");
  const overlaps = new Set<string>();
  const repeats = new Map<string, number>();
  for (const index of overlappingPaths(named.map(({ path }) => path))) {
    const file = named[index] ?? { path: "", source: "" };
    const text = textOf(file);
    const count = repeats.get(text) ?? 0;
    repeats.set(text, count + 1);
    if (count < mostRepeats) addOverlaps(overlaps, file, named.slice(0, index));
    if (overlaps.size >= mostNamed) break;
  }
  return [...overlaps];
}

/** Removes trailing slashes without a pattern, which would try every slash of a path that has thousands. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function addOverlaps(overlaps: Set<string>, file: ProjectedFile, earlier: readonly ProjectedFile[]): void {
  const directory = `${file.path}/`;
  for (const other of earlier) {
    const otherDirectory = `${other.path}/`;
    const isOverlap = directory.startsWith(otherDirectory) || otherDirectory.startsWith(directory);
    if (isOverlap) overlaps.add(`${textOf(file)} with ${textOf(other)}`);
    if (overlaps.size >= mostNamed) return;
  }
}

const textOf = ({ path, source }: ProjectedFile) =>
  source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
