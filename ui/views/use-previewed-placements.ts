import { useMemo } from "preact/hooks";
import { browserClock } from "../live/browser-clock.ts";
import { type PreviewedPlacement, previewPlacements } from "../model/placement-preview.ts";
import type { PreviewedCreation } from "../model/scale-preview.ts";
import { useStore } from "./use-store.ts";

/** Comparing hundreds of nodes for each Pod takes longer than a frame: it is done this often at most. */
const everyMs = 2000;

/** The nodes that the Pods of a scale would get. */
export function usePreviewedPlacements(
  creations: readonly PreviewedCreation[],
): readonly PreviewedPlacement[] {
  const { shown, context, facts } = useStore();
  const profiles = facts?.schedulerProfiles ?? [];
  const wanted = JSON.stringify(creations);
  const period = Math.floor(browserClock.elapsed() / everyMs);
  return useMemo(
    () => previewPlacements(creations, { objects: shown.objects, context }, profiles),
    [wanted, creations.length === 0 ? 0 : period, shown],
  );
}
