/** A Pod of the website, and where it is. */
export interface PlacedPod {
  readonly name: string;
  readonly region: string;
  readonly createdAt: number;
}

/**
 * The Pods that can go so that the regions stay even: one after the other from the region that has the most, the youngest first,
 * because its caches are the coldest.
 */
export function removable(pods: readonly PlacedPod[], requested: number): string[] {
  const regions = new Map<string, PlacedPod[]>();
  for (const pod of pods.toSorted(oldestFirst)) {
    const region = regions.get(pod.region);
    if (region === undefined) regions.set(pod.region, [pod]);
    else region.push(pod);
  }
  const gone: string[] = [];
  while (gone.length < requested) {
    const [fullest] = [...regions.values()].sort((one, other) => other.length - one.length);
    const pod = fullest?.pop();
    if (pod === undefined) break;
    gone.push(pod.name);
  }
  return gone;
}

function oldestFirst(one: PlacedPod, other: PlacedPod): number {
  return one.createdAt - other.createdAt || (one.name < other.name ? -1 : 1);
}
