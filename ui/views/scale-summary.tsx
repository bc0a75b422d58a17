import type { JSX } from "preact";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { type PreviewedPlacement, mostPlaced } from "../model/placement-preview.ts";
import type { ScalePreview } from "../model/scale-preview.ts";
import { groupBy, zoneSpreadAfter, zoneSpreadOf, zonesOf } from "../model/zones.ts";
import { useStore } from "./use-store.ts";

interface SummaryProps {
  readonly preview: ScalePreview;
  readonly placements: readonly PreviewedPlacement[];
  readonly pods: readonly Pod[];
}

/** How a scale ends: the zones before and after it, and how many Pods go by which rule. */
export function ScaleSummary({ preview, placements, pods }: SummaryProps): JSX.Element {
  const { shown } = useStore();
  const gone = preview.removals.filter(({ isOpen }) => !isOpen);
  const before = zoneSpreadOf(pods, shown);
  const after = zoneSpreadAfter(pods, {
    removed: new Set(gone.map(({ pod }) => pod)),
    placed: placements.flatMap(({ node }) => node ?? []),
    state: shown,
  });
  const created = preview.creations.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...before.perZone.values(), ...after.perZone.values());
  const rules = [...groupBy(gone, ({ rule }) => rule)].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <div class="summary">
      <dl class="zones-after" aria-label="Zones before and after">
        {zonesOf(shown).map(({ name }) => {
          const [was, is] = [before.perZone.get(name) ?? 0, after.perZone.get(name) ?? 0];
          return (
            <div key={name}>
              <dt class="zone" title={name}>
                {name === "" ? "no zone" : name}
              </dt>
              <dd>
                <span class="after-bar" aria-hidden="true">
                  <i class="was" style={{ width: `${(100 * was) / most}%` }} />
                  <i class="is" style={{ width: `${(100 * is) / most}%` }} />
                </span>
                <span class="number">
                  {was} → <b>{is}</b>
                </span>
              </dd>
            </div>
          );
        })}
        <div class="skew-after">
          <dt>skew</dt>
          <dd>
            {before.skew} → <b>{after.skew}</b>
            {created > mostPlaced && <span class="quiet"> after the first {mostPlaced}</span>}
          </dd>
        </div>
      </dl>
      {rules.length > 0 && (
        <ul class="by-rule" aria-label="Pods by the rule that removes them">
          {rules.map(([rule, removed]) => (
            <li key={rule}>
              <b>{removed.length}</b> {ruleText(rule)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A Pod without a deciding rule goes because all of its owner go. */
function ruleText(rule: string): string {
  if (rule === "not-protected") return "since the others are protected";
  return rule === "" ? "since none stays" : `by ${rule}`;
}
