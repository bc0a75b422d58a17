import type { JSX } from "preact";
import { unreachableAnnotation } from "../../src/api/well-known.ts";
import type { Zone } from "../model/zones.ts";
import { ActionButton } from "./action-button.tsx";
import { plural } from "./format.ts";

export interface ZoneHeadingProps {
  readonly zone: Zone;
  /** The Pods that are counted in it, and the most in any zone. */
  readonly pods: number;
  readonly largest: number;
}

/** The name of a zone, and its Pods as a bar beside those of the others: skew is seen before it is read. */
export function ZoneHeading({ zone, pods, largest }: ZoneHeadingProps): JSX.Element {
  const isFailed = zone.nodes.some((node) => node.metadata.annotations?.[unreachableAnnotation] === "true");
  return (
    <div class="zone-row">
      <h2 class="zone">{zone.name === "" ? "no zone" : zone.name}</h2>
      <span class="zone-bar" aria-hidden="true">
        <i style={{ width: `${(100 * pods) / largest}%` }} />
      </span>
      <span class="zone-pods">{plural(pods, "Pod")}</span>
      <span class="quiet">{plural(zone.nodes.length, "node")}</span>
      {zone.name !== "" && (
        <ActionButton
          label={isFailed ? "Restore zone" : "Fail zone"}
          action={isFailed ? { action: "restore", zone: zone.name } : { action: "fail", zone: zone.name }}
        />
      )}
    </div>
  );
}
