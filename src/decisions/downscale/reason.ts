import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";
import type { Key, Rule, RuleName, RuleTopology } from "./rules.ts";

/** The rule that separates a Pod from another, and the values it compared. */
export interface Reason {
  readonly rule: RuleName;
  /** What the values count, where the rule's name alone does not say. */
  readonly unit?: NonNullable<Rule["unit"]>;
  readonly value: Key;
  readonly against: { readonly pod: Pod; readonly value: Key };
  /** Of the rule `spread`: what the values count the Pods of. */
  readonly topology?: ComparedDomains;
  /** The constraints by which Pods are not counted, and why. */
  readonly ignored?: readonly string[];
}

/** The domains of the two Pods that are compared; absent: the node has no such label, or is gone. */
export interface ComparedDomains {
  readonly key: string;
  readonly domain?: string;
  readonly against?: string;
}

/** A Pod that is removed or stays, and why. */
export interface DecidedPod {
  readonly pod: Pod;
  readonly because?: Reason;
  /** The order does not decide between this Pod and others with the other verdict: any of them may go. */
  readonly isOpen?: true;
  /** It goes without comparison: all other Pods are protected. */
  readonly isLastFree?: true;
}

/** The rule that decided about a Pod: `either` where the order leaves it open, `all` where no Pod has the other verdict. */
export function decidingRule({ because, isOpen }: DecidedPod): RuleName | "either" | "all" {
  return isOpen === true ? "either" : (because?.rule ?? "all");
}

/** A Pod and the key that a rule compared. */
interface Side {
  readonly pod: Pod;
  readonly value: Key;
}

/** The reason for a rule and the values it compared. */
export function reasonOf(rule: Rule, [own, against]: readonly [Side, Side], facts?: Facts): Reason {
  const { name, unit, topology } = rule;
  const ignored = name === "spread" || name === "co-located" ? (facts?.spread?.ignored ?? []) : [];
  return {
    rule: name,
    ...(unit === undefined ? {} : { unit }),
    value: own.value,
    against,
    ...(topology === undefined ? {} : { topology: comparedDomains(topology, own.pod, against.pod) }),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

function comparedDomains({ key, domainOf }: RuleTopology, pod: Pod, other: Pod): ComparedDomains {
  const [domain, against] = [domainOf(pod), domainOf(other)];
  return {
    key,
    ...(domain === undefined ? {} : { domain }),
    ...(against === undefined ? {} : { against }),
  };
}
