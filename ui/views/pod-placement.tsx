import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import { evaluatePlacement } from "../model/placement.ts";
import { type NodeVerdict, verdictsOfEvaluation, verdictsOfRecord } from "../model/node-verdicts.ts";
import { plural } from "./format.ts";
import { nodeHref } from "./route.ts";
import { useStore } from "./use-store.ts";

type Answer =
  | { readonly kind: "asking" }
  | { readonly kind: "record"; readonly record: PlacementRecord }
  | { readonly kind: "none"; readonly message: string };

/** Why a Pod is on its node: the record of the scheduler where there is one, and else how its nodes compare now. */
export function PodPlacement({ pod }: { readonly pod: Pod }): JSX.Element {
  const store = useStore();
  const { namespace = "", name, uid } = pod.metadata;
  const node = pod.spec?.nodeName;
  const hasRecords = store.facts?.records.includes("placements") === true;
  const [answer, setAnswer] = useState<Answer>({ kind: "asking" });
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Answer) => isCurrent && setAnswer(next);
    if (!hasRecords) show({ kind: "none", message: "This cluster keeps no records of placements." });
    else {
      store.requests.placement(namespace, name).then(
        (record) =>
          show(
            record?.pod.uid === uid
              ? { kind: "record", record }
              : { kind: "none", message: "There is no record of its placement." },
          ),
        (error: unknown) => show({ kind: "none", message: messageOf(error) }),
      );
    }
    return () => void (isCurrent = false);
  }, [store, hasRecords, namespace, name, uid, node]);
  return (
    <section aria-label="Placement">
      <h2>Why it is {node === undefined ? "on no node" : "on its node"}</h2>
      {answer.kind === "asking" && <p class="quiet">Asking for the record of its placement…</p>}
      {answer.kind === "record" && <Record record={answer.record} />}
      {answer.kind === "none" && <Evaluated pod={pod} because={answer.message} />}
    </section>
  );
}

/** A placement of the list of decisions, which has no verdicts: they are asked for. */
export function RecordedPlacement({ listed }: { readonly listed: PlacementRecord }): JSX.Element {
  const { requests } = useStore();
  const { namespace, name, uid } = listed.pod;
  const [record, setRecord] = useState(listed);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: PlacementRecord | undefined) => {
      const isSame = found?.pod.uid === uid && found.attempt === listed.attempt;
      if (isCurrent && isSame) setRecord(found);
    };
    // Without an answer, the record as it is listed says that it has no verdicts.
    requests.placement(namespace, name).then(show, () => undefined);
    return () => void (isCurrent = false);
  }, [requests, namespace, name, uid, listed.attempt]);
  return <Record record={record} />;
}

function Record({ record }: { readonly record: PlacementRecord }): JSX.Element {
  const omitted = record.nodesOmitted ?? 0;
  return (
    <>
      <p class="headline">{record.summary}</p>
      {record.preemption !== undefined && <p>{record.preemption}</p>}
      <ul class="waits-list">
        {record.spread.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p class="quiet">
        Attempt {record.attempt} of profile {record.profile} at {record.at.slice(0, 19)}Z
        {record.notLookedAt.nodes > 0 && `; ${plural(record.notLookedAt.nodes, "node")} not examined`}
        {omitted > 0 && `; the verdicts on ${plural(omitted, "node")} are no longer kept`}.
      </p>
      <VerdictTable verdicts={verdictsOfRecord(record)} />
    </>
  );
}

function Evaluated({ pod, because }: { readonly pod: Pod; readonly because: string }): JSX.Element {
  const { shown, context, facts } = useStore();
  // Once per Pod: to filter and score hundreds of nodes takes longer than a frame.
  const verdicts = useMemo(() => {
    const profiles = facts?.schedulerProfiles ?? [];
    return verdictsOfEvaluation(evaluatePlacement(pod, shown, { context, profiles }), pod);
  }, [pod.metadata.uid]);
  return (
    <>
      <p class="quiet">
        {because} Below is how the nodes compared when this view was opened, as if the Pod were placed again
        by the plugins of its scheduler.
      </p>
      <VerdictTable verdicts={verdicts} />
    </>
  );
}

const mostListed = 100;

function VerdictTable({ verdicts }: { readonly verdicts: readonly NodeVerdict[] }): JSX.Element {
  const plugins = [...new Set(verdicts.flatMap(({ scores }) => [...scores.keys()]))];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Nodes, their filters and scores">
      <table>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Verdict</th>
            <th scope="col" class="number">
              Total
            </th>
            {plugins.map((plugin) => (
              <th key={plugin} scope="col" class="number slim">
                {plugin}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {verdicts.slice(0, mostListed).map((each) => (
            <tr key={each.node} class={each.verdict}>
              <th scope="row">
                <a href={nodeHref(each.node)}>{each.node}</a>
              </th>
              <td class="sentence">{each.verdict === "refused" ? each.because : each.verdict}</td>
              <td class="number">{each.total ?? ""}</td>
              {plugins.map((plugin) => (
                <td key={plugin} class="number">
                  {each.scores.get(plugin) ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {verdicts.length > mostListed && <p class="quiet">and {verdicts.length - mostListed} more nodes</p>}
    </div>
  );
}
