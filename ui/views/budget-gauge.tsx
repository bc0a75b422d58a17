import type { JSX } from "preact";
import type { RevisionRow, RolloutView } from "../model/revision-rows.ts";

const total = (rows: readonly RevisionRow[], member: "available" | "unavailable" | "terminating") =>
  rows.reduce((sum, row) => sum + row[member], 0);

/** The Pods of all revisions as one bar, against the least that stay available and the most there may be. */
export function BudgetGauge({ view }: { readonly view: RolloutView }): JSX.Element {
  const { budget, revisions, counted } = view;
  const news = revisions.filter(({ role }) => role === "new");
  const olds = revisions.filter(({ role }) => role === "old");
  const available = total(revisions, "available");
  const pods = available + total(revisions, "unavailable");
  const terminating = total(revisions, "terminating");
  const scale = Math.max(1, budget.allowed, pods + terminating);
  const taken = counted.pods + counted.terminating;
  const countsBoth = budget.policy === "TerminationComplete";
  const name = countsBoth ? "Pods and terminating" : "Pods";
  const parts = counted.terminating > 0 ? `: ${counted.pods} + ${counted.terminating} terminating` : "";
  const segments = [
    { look: "new available", count: total(news, "available"), text: "new, available" },
    { look: "new", count: total(news, "unavailable"), text: "new, not available" },
    { look: "old available", count: total(olds, "available"), text: "old, available" },
    { look: "old", count: total(olds, "unavailable"), text: "old, not available" },
    { look: "ending", count: terminating, text: "terminating" },
  ].filter(({ count }) => count > 0);
  return (
    <div class="gauge">
      <div
        class="gauge-bar"
        role="img"
        aria-label={`${segments.map(({ count, text }) => `${count} ${text}`).join(", ") || "no Pods"}; ${budget.replicas} desired, at most ${budget.allowed}, at least ${budget.minAvailable} available`}
      >
        {segments.map(({ look, count, text }) => (
          <i
            key={look}
            class={`segment ${look}`}
            title={`${count} ${text}`}
            style={{ width: `${(100 * count) / scale}%` }}
          >
            {(100 * count) / scale > 4 ? count : ""}
          </i>
        ))}
        <Marker at={budget.minAvailable / scale} look="least" />
        <Marker at={budget.replicas / scale} look="desired" />
        <Marker at={budget.allowed / scale} look="most" />
      </div>
      <dl class="budget">
        <Number name="desired" look="desired" value={budget.replicas} />
        <Number name="must stay available" look="least" value={budget.minAvailable} />
        <Number name={name} look="most" value={taken} of={`of ${budget.allowed} allowed${parts}`} />
        <Number name="surge" value={Math.max(0, taken - budget.replicas)} of={`of ${budget.maxSurge}`} />
        <Number
          name="unavailable"
          value={Math.max(0, budget.replicas - available)}
          of={`of ${budget.maxUnavailable}`}
        />
        <Number name="terminating" value={terminating} of={policyText(budget.policy)} />
      </dl>
    </div>
  );
}

function policyText(policy: RolloutView["budget"]["policy"]): string {
  if (policy === "TerminationComplete") return "count as Pods until they are gone";
  return policy === "TerminationStarted" ? "replaced at once" : "";
}

function Marker({ at, look }: { readonly at: number; readonly look: string }): JSX.Element {
  return <b class={`marker ${look}`} style={{ left: `${100 * Math.min(1, Math.max(0, at))}%` }} />;
}

interface NumberProps {
  readonly name: string;
  readonly value: number;
  readonly of?: string;
  /** The marker in the bar that stands for it. */
  readonly look?: string;
}

function Number({ name, value, of = "", look }: NumberProps): JSX.Element {
  return (
    <div>
      <dt>
        {look !== undefined && <i class={`marker-key ${look}`} aria-hidden="true" />}
        {name}
      </dt>
      <dd>
        {value} <span class="quiet">{of}</span>
      </dd>
    </div>
  );
}
