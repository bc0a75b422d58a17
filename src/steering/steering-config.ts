import type { TopologySpreadConstraint } from "../api/generated/core-v1.ts";
import type { SteeringMode } from "../decisions/stock/wish.ts";
import type { LabelSelector } from "../api/generated/meta-v1.ts";

/** The default spread constraints of some namespaces. */
export interface SpreadDefaults {
  /** Said in the annotation of every Pod that gets them. */
  readonly name: string;
  readonly namespaceSelector: LabelSelector;
  /** Without selectors: these are derived for each Pod. */
  readonly constraints: readonly TopologySpreadConstraint[];
}

/** Where the API server finds the webhook. */
export type WebhookAddress =
  | { readonly kind: "service"; readonly namespace: string; readonly name: string; readonly port: number }
  /** `https://host:port`, for a program outside of the cluster. */
  | { readonly kind: "url"; readonly url: string };

/** Where the serving certificate comes from. */
export type CertificateSource =
  /** An authority and a certificate of our own, in a Secret that all copies share. */
  | { readonly kind: "secret"; readonly namespace: string; readonly name: string }
  /** Files that another program renews; without an authority, that program fills in `caBundle` too. */
  | {
      readonly kind: "files";
      readonly certificate: string;
      readonly key: string;
      readonly authority?: string;
    };

/** The settings of `trimtab steer`, as its file has them. */
export interface SteeringConfig {
  /** The name of the webhook configurations. */
  readonly name: string;
  /** The namespace of its Secret and its Lease. */
  readonly namespace: string;
  /** The namespaces that are never steered: kube-system, and the one it runs in, if it does. */
  readonly leftOut: readonly string[];
  readonly address: WebhookAddress;
  /** The IP address the webhook listens at; absent: loopback. */
  readonly bind?: string;
  readonly port: number;
  readonly timeoutSeconds: number;
  readonly certificate: CertificateSource;
  readonly spread: readonly SpreadDefaults[];
  readonly mode: SteeringMode;
  /** The annotations by which a Pod's deletion cost is known to be a program's, not a person's. */
  readonly machineCosts: readonly string[];
}
