import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { perTier } from "../tier.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output, printedObject, withoutServerFields } from "./printed.ts";

/** The generators whose bodies are the hardest to decode: numbers that may be zero, numbers or texts, quantities, oneofs. */
const essentialGenerators: readonly string[] = [
  "deployment d --image=a:1 --image=b:2 --replicas=0 --port=80",
  "quota q --hard=pods=10 --scopes=BestEffort,NotTerminating",
  "poddisruptionbudget zero --selector=a=b --max-unavailable=0",
  "service clusterip inside --tcp=80:8080 --tcp=443:https",
  "cronjob often --image=a --schedule='*/5 * * * *' --restart=OnFailure",
];

/** Every other generator that uses a typed client: from 1.32 on these send protobuf. */
const otherGenerators: readonly string[] = [
  "deployment commanded --image=a --replicas=0 -- sleep 60",
  "namespace generated",
  "configmap c --from-literal=a=b --from-literal=c=",
  "secret generic s --from-literal=a=b --type=example.com/t",
  "secret docker-registry r --docker-server=r.example --docker-username=u --docker-password=p",
  "serviceaccount a",
  "poddisruptionbudget p --selector=a=b,c --min-available=50%",
  "service clusterip headless --clusterip=None",
  "service nodeport out --tcp=80 --node-port=30444",
  "service externalname away --external-name=example.com",
  "job j --image=a -- sleep 1",
  "role r --verb=get,list --resource=pods,deployments.apps --resource-name=web",
  "rolebinding rb --role=r --user=ann --group=dev",
  "clusterrole generated --verb=get --resource=nodes --non-resource-url=/metrics",
  "clusterrole aggregated --aggregation-rule=a=b,c=d",
  "clusterrolebinding generated --clusterrole=generated --serviceaccount=default:default",
  "priorityclass generated --value=1000 --preemption-policy=Never --description=fast",
  "ingress i --rule='a.example/x*=svc:80,tls=cert' --annotation=k=v",
];

const generators = perTier({
  unit: essentialGenerators,
  full: [...essentialGenerators, ...otherGenerators],
});

// What a typed client sends is stored as the same object as the JSON that `--dry-run=client` prints.
describeWithKubectl(({ openNamespace }) => {
  test.for(generators)("kubectl create %s", { timeout: 180_000 }, async (words) => {
    const shell = await openNamespace(`typed-${generators.indexOf(words)}`);
    const [flags = "", ...command] = words.split(/(?= -- )/);
    const manifest = await output(shell, `create ${flags} --dry-run=client -o json${command.join("")}`);
    const stored = () => printedObject(shell, "get -f - -o json", manifest);
    await output(shell, `create ${words}`);
    const typed = await stored();
    await output(shell, "delete -f -", manifest);
    await output(shell, "create -f -", manifest);
    expect(essenceOf(await stored())).toEqual(essenceOf(typed));
  });
});

/** The object without allocated addresses, annotations that controllers write, and its UID, which the selector of a Job has. */
function essenceOf(object: JsonObject): JsonObject {
  const { uid } = object["metadata"] as { readonly uid: string };
  const anonymous = JSON.parse(JSON.stringify(object).replaceAll(uid, "its-uid")) as JsonObject;
  const { metadata, spec, ...rest } = withoutServerFields(anonymous);
  const { annotations = {}, ...named } = metadata as JsonObject;
  const { "deployment.kubernetes.io/revision": _revision, ...others } = annotations as JsonObject;
  const { clusterIP: address, clusterIPs: _addresses, ...wanted } = (spec ?? {}) as JsonObject;
  return { ...rest, ...wanted, ...named, ...others, hasAddress: address !== undefined && address !== "None" };
}
