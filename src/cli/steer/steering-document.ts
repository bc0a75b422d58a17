import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { podTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";

/** What the file says it is. */
export const steeringApiVersion = "trimtab.dev/v1alpha1";
export const steeringKind = "SteeringConfiguration";

/** The members of the file and their types. */
export const steeringShape = {
  members: {
    apiVersion: "string",
    kind: "string",
    name: "string",
    namespace: "string",
    webhook: {
      members: {
        service: { members: { namespace: "string", name: "string", port: "int32" } },
        url: "string",
        bind: "string",
        port: "int32",
        timeoutSeconds: "int32",
        certificate: {
          members: {
            secret: "string",
            files: { members: { certificate: "string", key: "string", authority: "string" } },
          },
        },
      },
    },
    defaultSpread: {
      list: {
        members: {
          name: "string",
          namespaceSelector: "meta.v1.LabelSelector",
          podTopologySpreadArgs: podTopologySpreadArgs.shape,
        },
      },
    },
  },
};

/** Where the webhooks are served, and by which certificate. */
export interface WebhookDocument {
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
  readonly url?: string;
  readonly bind?: string;
  readonly port?: number;
  readonly timeoutSeconds?: number;
  readonly certificate?: {
    readonly secret?: string;
    readonly files?: { readonly certificate?: string; readonly key?: string; readonly authority?: string };
  };
}

/** The default constraints of some namespaces. */
export interface SpreadDocument {
  readonly name?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly podTopologySpreadArgs?: JsonObject;
}

/** The file as it is: of the right types, not validated yet. */
export interface SteeringDocument {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly webhook?: WebhookDocument;
  readonly defaultSpread?: readonly SpreadDocument[];
}
