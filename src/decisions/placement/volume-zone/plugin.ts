import type { PersistentVolume } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { formerRegionLabel, formerZoneLabel, regionLabel, zoneLabel } from "../../../api/well-known.ts";
import { isClaimBound } from "../../volumes/plan-claim.ts";
import { claimsOfPod } from "../../volumes/pod-claims.ts";
import { nodeBecomes, type QueueingHints, queueingHints } from "../cluster-event.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { labelOf, stringOf } from "../objects/reading.ts";
import { fits, type Plugin, rejects } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import type { VolumeLookups } from "../view/cluster-view.ts";
import { isOwnClaim } from "../volume-binding/plugin.ts";

/** A zone or region label of a volume, with the values it allows. */
interface VolumePlace {
  readonly volume: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** Each label, and the other name of the same thing. */
const otherNames: ReadonlyMap<string, string> = new Map([
  [zoneLabel, formerZoneLabel],
  [formerZoneLabel, zoneLabel],
  [regionLabel, formerRegionLabel],
  [formerRegionLabel, regionLabel],
]);

const reasons: readonly string[] = ["node(s) had no available volume zone"];

/** Rejects nodes outside of the zones and regions that the labels of volumes name; those made on demand have an affinity. */
export const volumeZone: Plugin = {
  name: "VolumeZone",

  preFilter(pod, { volumes }) {
    const places = volumes === undefined ? [] : placesOf(pod, volumes);
    if (places.length === 0) return undefined;
    return {
      filter({ labels }) {
        const problem = places.find((place) => !isIn(place, labels));
        if (problem === undefined) return fits;
        const { volume, key, values } = problem;
        const detail = `volume ${volume} is in ${key} ${values.join(", ")}`;
        return rejects("UnschedulableAndUnresolvable", reasons, detail);
      },
    };
  },
};

function placesOf({ pod, namespace }: PodInfo, lookups: VolumeLookups): readonly VolumePlace[] {
  return claimsOfPod(pod).flatMap(({ name }) => {
    const claim = lookups.claim(namespace, name);
    if (claim === undefined || !isClaimBound(claim)) return [];
    const volume = lookups.volume(stringOf(claim.spec.volumeName));
    return volume === undefined ? [] : labelledPlaces(volume);
  });
}

function labelledPlaces({ metadata }: PersistentVolume): readonly VolumePlace[] {
  return [...otherNames.keys()].flatMap((key) => {
    const value = labelOf(metadata.labels, key);
    return value === undefined ? [] : [{ volume: stringOf(metadata.name), key, values: value.split("__") }];
  });
}

/** A node without any zone or region is in all of them. */
function isIn({ key, values }: VolumePlace, labels: Labels): boolean {
  const has = labelOf(labels, key) ?? labelOf(labels, otherNames.get(key) ?? "");
  if (has !== undefined) return values.includes(has);
  return [...otherNames.keys()].every((each) => labelOf(labels, each) === undefined);
}

/** A claim that gets a volume, a volume with other labels, or a node in its zone. */
const hints: QueueingHints = queueingHints(
  [
    "PersistentVolumeClaim/Add",
    "PersistentVolumeClaim/Update",
    "PersistentVolume/Add",
    "PersistentVolume/Update",
    "Node/Add",
    "Node/UpdateNodeLabel",
  ],
  (waiting, event, { volumes }) => {
    if (event.resource === "PersistentVolumeClaim") return isOwnClaim(waiting, event);
    if (event.resource !== "Node" || volumes === undefined) return true;
    const places = placesOf(waiting, volumes);
    return nodeBecomes(event, ({ labels }) => places.every((place) => isIn(place, labels)));
  },
);

export const volumeZoneEntry = {
  name: "VolumeZone",
  points: ["preFilter", "filter"],
  create: () => volumeZone,
  hints: () => hints,
} as const satisfies PluginEntry;
