import type { MutatingWebhook, ValidatingWebhook } from "../../api/generated/admissionregistration-v1.ts";
import { bad, type Finding, good, open } from "./finding.ts";
import type { ClusterReading } from "./reading.ts";
import type { SteerFacts } from "./steer-facts.ts";

/** The webhooks that steer registers always; others depend on workloads and on its configuration. */
const always = {
  MutatingWebhookConfiguration: ["sizes", "ordered", "replaced", "balanced"],
  ValidatingWebhookConfiguration: ["wishes", "labels"],
} as const;

interface Configuration {
  readonly webhooks?: readonly (MutatingWebhook | ValidatingWebhook)[];
}

/** Whether the API server knows the webhooks of steer, and how it calls them. */
export function judgeWebhooks(facts: SteerFacts): readonly Finding[] {
  const { mutating, validating } = facts;
  if (mutating.state === "absent" && validating.state === "absent") return [notInstalled(facts)];
  return [
    judgeConfiguration("MutatingWebhookConfiguration", mutating, facts),
    judgeConfiguration("ValidatingWebhookConfiguration", validating, facts),
    ...judgeBackends(facts),
  ];
}

function notInstalled({ name }: SteerFacts): Finding {
  return bad(
    "webhooks",
    `there are no webhook configurations ${name}: trimtab steer is not installed here, or has never answered`,
    "helm install trimtab deploy/helm/trimtab --namespace trimtab --create-namespace --set image=IMAGE",
  );
}

function judgeConfiguration(
  kind: keyof typeof always,
  reading: ClusterReading<Configuration>,
  facts: SteerFacts,
): Finding {
  const title = kind === "MutatingWebhookConfiguration" ? "mutating" : "validating";
  const { name } = facts;
  if (reading.state === "unknown") return open(title, `${kind} ${name} cannot be read: ${reading.why}`);
  if (reading.state === "absent")
    return bad(title, `${kind} ${name} is not there; steer makes it anew while it runs`, restart(facts));
  const webhooks = reading.value.webhooks ?? [];
  const missing = always[kind].filter(
    (each) => !webhooks.some((webhook) => webhook.name.startsWith(`${each}.`)),
  );
  if (missing.length > 0)
    return bad(title, `${kind} ${name} lacks the webhooks ${missing.join(", ")}`, restart(facts));
  if (webhooks.some(({ clientConfig }) => (clientConfig.caBundle ?? "") === ""))
    return bad(title, `${kind} ${name} has no caBundle, so that no certificate is trusted`, restart(facts));
  return good(title, `${kind} ${name} has ${webhooks.length} webhooks`);
}

/** The command that starts the copies of steer anew. */
export function restart({ name, namespace, deployment }: SteerFacts): string {
  return deployment.state === "found"
    ? `kubectl -n ${namespace} rollout restart deployment/${name}`
    : "trimtab steer --config FILE";
}

/** Whether a ready endpoint serves the address that the API server calls. */
function judgeBackends(facts: SteerFacts): readonly Finding[] {
  const { clientConfig, service, endpoints } = facts;
  if (clientConfig?.url !== undefined)
    return [good(address, `the API server calls ${new URL(clientConfig.url).origin}`)];
  const reference = clientConfig?.service;
  if (reference === undefined || service === undefined || endpoints === undefined) return [];
  return [judgeService(reference, { name: facts.name, service, endpoints })];
}

const address = "address";

type Backends = Required<Pick<SteerFacts, "name" | "service" | "endpoints">>;

function judgeService(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { name: label, service, endpoints }: Backends,
): Finding {
  const what = `the Service ${namespace}/${name}`;
  if (service.state === "absent")
    return bad(
      address,
      `${what} that the API server calls is not there`,
      `helm upgrade --install trimtab deploy/helm/trimtab --namespace ${namespace} --reuse-values`,
    );
  const unread = [service, endpoints].find((each) => each.state === "unknown");
  if (unread?.state === "unknown") return open(address, `${what} cannot be read: ${unread.why}`);
  const slices = endpoints.state === "found" ? endpoints.value : [];
  const all = slices.flatMap((slice) => slice.endpoints ?? []);
  const ready = all.filter(({ conditions }) => conditions?.ready !== false).length;
  return ready === 0
    ? bad(
        address,
        `no Pod is ready behind ${what} that the API server calls`,
        `kubectl -n ${namespace} get pods -l app.kubernetes.io/name=${label}`,
      )
    : good(address, `the API server calls ${what}: ${ready} ready`);
}
