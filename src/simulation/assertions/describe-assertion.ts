import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import { describeLimits, measureOf, measures } from "./measures.ts";

/** What an assertion says, as a line: `ready Pods of deployment/web: at least 8 from 5m`. */
export function describeAssertion(assertion: AssertionDocument): string {
  const { name, complete } = assertion;
  if (name !== undefined) return name;
  if (complete !== undefined) {
    const after = assertion.from === undefined ? "" : ` after ${assertion.from}`;
    return `${assertion.workload ?? ""}${inNamespace(assertion)}: complete within ${complete.within}${after}`;
  }
  const measure = measureOf(assertion);
  if (measure === undefined) return "nothing";
  const { topologyKey } = measure.limits;
  const key = topologyKey === undefined ? "" : ` by ${topologyKey}`;
  const { title } = measures[measure.name];
  return `${title}${key}${scopeText(assertion)}: ${describeLimits(measure.limits)}${timesText(assertion)}`;
}

function scopeText(assertion: AssertionDocument): string {
  const { workload, selector } = assertion;
  const whose = workload ?? selector;
  return `${whose === undefined ? "" : ` of ${whose}`}${inNamespace(assertion)}`;
}

function inNamespace({ namespace }: AssertionDocument): string {
  return namespace === undefined ? "" : ` in namespace ${namespace}`;
}

function timesText({ from, until, at, for: lasting }: AssertionDocument): string {
  const phrases = [
    from === undefined ? "" : ` from ${from}`,
    until === undefined ? "" : ` until ${until}`,
    at === undefined ? "" : at === "end" ? " at the end" : ` at ${at}`,
    lasting === undefined ? "" : `, breaches shorter than ${lasting} aside`,
  ];
  return phrases.join("");
}
