import type { Container, LimitRange, LimitRangeItem, Pod } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { type Amounts, type AmountTexts, readAmounts } from "../../quota/amounts.ts";

type Ranges = readonly Sent<LimitRange>[];
type Resources = Sent<Container>["resources"];

/** The annotation that lists what a Pod's containers got by default. */
const annotation = "kubernetes.io/limit-ranger";

/** Returns the Pod with the default requests and limits of its namespace where its containers have none. */
export function defaultPodResources(pod: Sent<Pod>, ranges: Ranges): Sent<Pod> {
  const { spec = {}, metadata } = pod;
  const items = ranges.flatMap(({ spec: range = {} }) => range.limits ?? []);
  const defaults = { requests: defaultsOf(items, "defaultRequest"), limits: defaultsOf(items, "default") };
  const notes: string[] = [];
  const complete = (containers: readonly Sent<Container>[], what: string) =>
    containers.map((container) => {
      const resources = withDefaults(container.resources, defaults);
      const which = `${what} ${container.name ?? ""}`;
      notes.push(...addedNotes(container.resources, resources, which));
      return { ...container, resources };
    });
  const containers = complete(spec.containers ?? [], "container");
  const initContainers = complete(spec.initContainers ?? [], "init container");
  if (notes.length === 0) return pod;
  const text = `LimitRanger plugin set: ${notes.join("; ")}`;
  return {
    ...pod,
    metadata: { ...metadata, annotations: { ...metadata?.annotations, [annotation]: text } },
    spec: { ...spec, containers, ...(spec.initContainers !== undefined && { initContainers }) },
  };
}

/** Returns the defaults of containers; the first range that has one decides. */
function defaultsOf(
  items: readonly Sent<LimitRangeItem>[],
  member: "default" | "defaultRequest",
): AmountTexts {
  const ofContainers = items.filter(({ type }) => type === "Container");
  return Object.assign({}, ...ofContainers.map((item) => item[member] ?? {}).toReversed()) as AmountTexts;
}

function withDefaults(
  own: Resources = {},
  defaults: { readonly requests: AmountTexts; readonly limits: AmountTexts },
): NonNullable<Resources> {
  const requests = { ...defaults.requests, ...own.requests };
  const limits = { ...defaults.limits, ...own.limits };
  return {
    ...own,
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function addedNotes(before: Resources = {}, after: NonNullable<Resources>, which: string): readonly string[] {
  const added = (member: "requests" | "limits") =>
    newNames(readAmounts(before[member]), readAmounts(after[member]));
  const [requests, limits] = [added("requests"), added("limits")];
  return [
    ...(requests.length > 0 ? [`${requests.join(", ")} request for ${which}`] : []),
    ...(limits.length > 0 ? [`${limits.join(", ")} limit for ${which}`] : []),
  ];
}

const newNames = (before: Amounts, after: Amounts) =>
  [...after.keys()].filter((name) => !before.has(name)).toSorted();
