import type { Volume } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { fractionalBytes } from "./container-warnings.ts";

const gone = (deprecated: string, removed: string) =>
  `deprecated in ${deprecated}, non-functional in ${removed}+`;

/** Kinds of volumes that no kubelet mounts any more. */
const deprecatedKinds: readonly (readonly [kind: keyof Volume, why: string])[] = [
  ["photonPersistentDisk", gone("v1.11", "v1.16")],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", gone("v1.16", "v1.22")],
  ["flocker", gone("v1.22", "v1.25")],
  ["storageos", gone("v1.22", "v1.25")],
  ["quobyte", gone("v1.22", "v1.25")],
  ["glusterfs", gone("v1.25", "v1.26")],
  ["cephfs", gone("v1.28", "v1.31")],
  ["rbd", gone("v1.28", "v1.31")],
];

/** Warns of volumes of deprecated kinds, and of claims for a fraction of a byte. */
export function volumeWarnings(
  volumes: readonly Sent<Volume>[] | undefined,
  path: string,
): readonly string[] {
  return (volumes ?? []).flatMap((volume, index) => [
    ...deprecatedKinds.flatMap(([kind, why]) =>
      volume[kind] === undefined ? [] : [`${path}[${index}].${pathNames.get(kind) ?? kind}: ${why}`],
    ),
    ...claimWarnings(
      volume.ephemeral?.volumeClaimTemplate?.spec ?? {},
      `${path}[${index}].ephemeral.volumeClaimTemplate.spec`,
    ),
  ]);
}

/** The path of a kind that kube-apiserver spells differently from its field. */
const pathNames: ReadonlyMap<string, string> = new Map([["storageos", "storageOS"]]);

type Claim = NonNullable<NonNullable<NonNullable<Sent<Volume>["ephemeral"]>["volumeClaimTemplate"]>["spec"]>;

/** Warns of requests and limits of a claim that are not whole numbers of bytes. */
export function claimWarnings({ resources = {} }: Claim, path: string): readonly string[] {
  const { requests, limits } = resources;
  return [
    ...fractionalBytes(requests, `${path}.resources.requests`, ["storage"]),
    ...fractionalBytes(limits, `${path}.resources.limits`, ["storage"]),
  ];
}
