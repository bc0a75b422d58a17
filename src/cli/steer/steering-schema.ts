import { isIP } from "node:net";
import {
  apiType,
  choice,
  type DocumentOf,
  exactlyOneOf,
  integer,
  list,
  record,
  text,
  trimtabHead,
} from "../../api/documents/document-schema.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { repeatedNames } from "../../api/field-checks.ts";
import { type FieldError, forbidden, invalid } from "../../api/field-error.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { qualifiedNameProblems } from "../../api/labels/label-syntax.ts";
import { validateLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems, type NameCheck } from "../../api/names.ts";
import { steeringModes } from "../../decisions/stock/wish.ts";
import {
  podTopologySpreadArgs,
  spreadArgsSchema,
} from "../../decisions/placement/pod-topology-spread/args.ts";

export const steeringKind = "SteeringConfiguration";

/** Those of the scheduler that reads the arguments. */
export const spreadContext = { isV1beta1: false, gates: defaultFeatureGates };

const named = (description: string, problemsOf: NameCheck = dns1123LabelProblems) =>
  text(description, {
    check: (name, path) => problemsOf(name).map((problem) => invalid(path, name, problem)),
  });

const service = record(
  "The Service by which the API server finds the webhook.",
  {
    namespace: named("Its namespace; that of this program unless said otherwise."),
    name: named("The name of the Service."),
    port: integer("Its port; 443 unless said otherwise.", [1, 65_535]),
  },
  { required: ["name"] },
);

const certificate = record(
  "Where the serving certificate comes from; a Secret of our own unless said otherwise.",
  {
    secret: named("The Secret that all copies share.", dns1123SubdomainProblems),
    files: record(
      "Files that another program renews.",
      {
        certificate: text("The file of the certificate."),
        key: text("The file of its key."),
        authority: text("The file of its authority; without it, that program fills in `caBundle`, too."),
      },
      { required: ["certificate", "key"] },
    ),
  },
  {
    check: ({ secret, files }, path) =>
      secret !== undefined && files !== undefined
        ? [forbidden(`${path}.files`, "may not be there together with secret")]
        : [],
  },
);

const webhook = record(
  "Where the webhooks are served, and by which certificate.",
  {
    service,
    url: text("`https://HOST:PORT` of a program outside of the cluster.", { check: urlErrors }),
    bind: text("The IP address it listens at; loopback unless said otherwise.", {
      check: (bind, path) =>
        isIP(bind) > 0 ? [] : [invalid(path, bind, "must be an IP address, such as 0.0.0.0 or ::")],
    }),
    port: integer("The port it listens at; 9443 unless said otherwise.", [0, 65_535]),
    timeoutSeconds: integer("How long the API server waits; 3 unless said otherwise.", [2, 30]),
    certificate,
  },
  exactlyOneOf(["service", "url"]),
);

const spread = record(
  "The default constraints of some namespaces.",
  {
    name: named("What the annotation of every Pod that gets them says."),
    namespaceSelector: apiType<LabelSelector>("The namespaces.", "meta.v1.LabelSelector", {
      errorMessage: "an empty one selects every namespace",
      check: (selector, path) => validateLabelSelector(selector as LabelSelector, path),
    }),
    podTopologySpreadArgs: {
      ...spreadArgsSchema,
      check: (args: DocumentOf<typeof spreadArgsSchema>, path: string) =>
        podTopologySpreadArgs.validate?.(args, path, spreadContext).errors ?? [],
    },
  },
  { required: ["name", "namespaceSelector"] },
);

/** The schema of a SteeringConfiguration. */
export const steeringSchema = record(
  "The settings of `trimtab steer`.",
  {
    ...trimtabHead(steeringKind),
    name: named("The name of the webhook configurations; `trimtab-steer` unless said otherwise."),
    namespace: named(
      "The namespace it runs in, which is never steered, and where its Secret and its Lease are. Outside of a cluster, unless said otherwise, these are in the namespace of the kubeconfig, which is steered.",
    ),
    webhook,
    mode: choice(
      "What is done about what workloads ask for: it is fulfilled (`enforce`, the default); it is said what would be done, and nothing is written (`observe`); nothing (`off`). Workloads and namespaces may say otherwise by trimtab.dev/mode, but for `off`.",
      steeringModes,
    ),
    machineCosts: list(
      "Annotations of Pods whose deletion cost a program wrote: it then counts below labels, pickers and spreading. Those of Karpenter unless said otherwise.",
      text("The name of an annotation, such as karpenter.sh/managed-deletion-cost.", {
        check: (name, path) => qualifiedNameProblems(name).map((problem) => invalid(path, name, problem)),
      }),
    ),
    defaultSpread: list(
      "Default constraints; of several that select a namespace, the first counts.",
      spread,
      {
        check: repeatedNames,
      },
    ),
  },
  {
    $id: "https://trimtab.dev/schemas/steering-configuration-v1alpha1.json",
    title: "Trimtab steering configuration",
    required: ["apiVersion", "kind", "webhook"],
  },
);

/** A SteeringConfiguration as its file has it. */
export type SteeringDocument = DocumentOf<typeof steeringSchema>;

function urlErrors(url: string, path: string): readonly FieldError[] {
  if (!URL.canParse(url)) return [invalid(path, url, "must be a URL, such as https://127.0.0.1:9443")];
  const { protocol, href, origin } = new URL(url);
  if (protocol !== "https:") return [invalid(path, url, "must be https")];
  return href === `${origin}/` ? [] : [invalid(path, url, "must have a host and a port, and nothing else")];
}
