import { formatTime, type Instant, parseTime } from "../../api/time.ts";
import { readGates } from "./steer-gates.ts";
import { bad, type Finding, good, open } from "./finding.ts";
import { restart } from "./judge-webhooks.ts";
import { steerArguments, type SteerFacts } from "./steer-facts.ts";
import { valueRead } from "./reading.ts";

/** Whether copies of steer run, one of them leads, and which version and gates they have. */
export function judgeCopies(
  facts: SteerFacts,
  { now, version }: { readonly now: Instant; readonly version: string },
): readonly Finding[] {
  return [
    ...judgeDeployment(facts),
    judgeLeader(facts, now),
    ...judgeGates(facts),
    ...judgeVersion(facts, version),
  ];
}

function judgeDeployment({ deployment, name, namespace }: SteerFacts): readonly Finding[] {
  const title = "copies";
  const what = `Deployment ${namespace}/${name}`;
  if (deployment.state === "unknown") return [open(title, `${what} cannot be read: ${deployment.why}`)];
  if (deployment.state === "absent") return []; // it runs elsewhere, or by another name
  const { spec, status } = deployment.value;
  const [wanted, available] = [spec.replicas ?? 1, status?.availableReplicas ?? 0];
  const show = `kubectl -n ${namespace} describe deployment/${name}`;
  if (wanted === 0)
    return [
      bad(
        title,
        `${what} is scaled to zero`,
        `kubectl -n ${namespace} scale deployment/${name} --replicas=2`,
      ),
    ];
  if (available === 0) return [bad(title, `none of ${wanted} copies of ${what} is available`, show)];
  return available < wanted
    ? [open(title, `${available} of ${wanted} copies of ${what} are available`, show)]
    : [good(title, `${available} of ${wanted} copies of ${what} are available`)];
}

/** Without a leader the webhook answers, but marks stay, and rollouts that were capped are not woken. */
function judgeLeader(facts: SteerFacts, now: Instant): Finding {
  const { lease: reading, name, namespace } = facts;
  const title = "leader";
  const what = `the Lease ${namespace}/${name}`;
  if (reading.state === "unknown") return open(title, `${what} cannot be read: ${reading.why}`);
  if (reading.state === "absent")
    return open(
      title,
      `${what} is not there: steer runs with --no-lease or in another namespace, or has not run`,
    );
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 15 } = reading.value.spec ?? {};
  const renewedAt = parseTime(renewTime) ?? 0;
  if (holderIdentity === "") return bad(title, `nobody holds ${what}: no copy leads`, restart(facts));
  return renewedAt + leaseDurationSeconds * 1000 < now
    ? bad(
        title,
        `${holderIdentity} has not renewed ${what} since ${formatTime(renewedAt)}: no copy leads`,
        restart(facts),
      )
    : good(title, `${holderIdentity} leads`);
}

function judgeGates(facts: SteerFacts): readonly Finding[] {
  const words = steerArguments(facts);
  if (words === undefined) return [];
  const on = Object.entries(readGates(words)).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return [good("gates", on.length === 0 ? "none beyond the defaults" : `${on.join(", ")} on`)];
}

function judgeVersion(facts: SteerFacts, version: string): readonly Finding[] {
  const [container] = valueRead(facts.deployment)?.spec.template.spec?.containers ?? [];
  if (container === undefined) return [];
  const image = container.image ?? "";
  const [named = ""] = image.split("@");
  const [, tag] = /:([\w.-]+)$/.exec(named) ?? [];
  if (tag === version) return [good("version", `${image}, as this trimtab ${version}`)];
  return [open("version", `it runs ${image === "" ? "no image" : image}; this is trimtab ${version}`)];
}
