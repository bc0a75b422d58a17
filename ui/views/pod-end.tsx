import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { DecisionRecords } from "../live/page-requests.ts";
import { podEnd, type PodEnd } from "../model/pod-end.ts";
import { decisionsHref, podHref } from "./route.ts";
import { useStore } from "./use-store.ts";

type Records = Omit<DecisionRecords, "placements">;

const noRecords: Records = { removals: [], rollouts: [] };

interface PodEndProps {
  readonly pod: Pod;
  readonly isGone: boolean;
}

/** Who ended the Pod, and why: the recorded decision, or else what the Pod and its events say. */
export function PodEndSection({ pod, isGone }: PodEndProps): JSX.Element | null {
  const records = useRecordsOfOwner(pod);
  const end = podEnd(pod, records ?? noRecords, isGone);
  if (end === undefined) return null;
  return (
    <section aria-label="End">
      <h2>{isGone ? "Why it is gone" : "Why it ends"}</h2>
      {records === undefined ? (
        <p class="quiet">Asking for the records of decisions…</p>
      ) : (
        <End {...{ end, pod }} />
      )}
    </section>
  );
}

function End({ end, pod }: { readonly end: PodEnd; readonly pod: Pod }): JSX.Element {
  const { namespace = "", name } = pod.metadata;
  const { by, sentence, rule, rival, time, isRecorded } = end;
  const owner = controllerOf(pod)?.name ?? "";
  return (
    <>
      <p class="headline">
        Ended by <b>{by}</b>: {sentence}.
      </p>
      <dl class="facts">
        {rule !== undefined && <Fact name="rule">{rule}</Fact>}
        {rival !== undefined && (
          <Fact name="compared with">
            <a href={podHref({ metadata: { namespace, name: rival } })}>{rival}</a>
          </Fact>
        )}
        {time !== undefined && <Fact name="at">{`${time.slice(0, 19)}Z`}</Fact>}
        {isRecorded && (
          <Fact name="record">
            <a href={decisionsHref({ kind: "removal", of: `${namespace}/${owner}`, search: name })}>
              the decision, with all candidates
            </a>
          </Fact>
        )}
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: JSX.Element | string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The decisions about the owner of a Pod; `undefined` until they are there. */
function useRecordsOfOwner(pod: Pod): Records | undefined {
  const { requests, facts } = useStore();
  const [records, setRecords] = useState<Records>();
  const { namespace = "", uid, deletionTimestamp = "" } = pod.metadata;
  const owner = controllerOf(pod)?.name;
  const hasRecords = facts?.records.includes("decisions") === true;
  useEffect(() => {
    let isCurrent = true;
    const show = (answer: Records) => isCurrent && setRecords(answer);
    if (!hasRecords || owner === undefined) show(noRecords);
    else
      requests.decisions({ namespace, name: owner }).then(
        (answer) => show(answer),
        // Without an answer, the Pod itself says what it can.
        () => show(noRecords),
      );
    return () => void (isCurrent = false);
  }, [requests, hasRecords, namespace, owner, uid, deletionTimestamp]);
  return records;
}
