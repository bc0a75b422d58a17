import type { Container, EnvVar } from "../../../../api/generated/core-v1.ts";
import { canonicalQuantity } from "../../../../api/quantity/format-quantity.ts";
import { isWhole, parseQuantity } from "../../../../api/quantity/quantity.ts";
import type { Sent } from "../../../../api/sent.ts";

/** A container, and its path in the object. */
export interface PlacedContainer {
  readonly container: Sent<Container>;
  readonly at: string;
}

/** Warns of probable mistakes in a container, except in its ports, which are compared across containers. */
export function containerWarnings({ container, at }: PlacedContainer): readonly string[] {
  const { limits, requests } = container.resources ?? {};
  return [
    ...fractionalBytes(limits, `${at}.resources.limits`),
    ...fractionalBytes(requests, `${at}.resources.requests`),
    ...envWarnings(container, at),
  ];
}

type Amounts = Readonly<Record<string, string | number>>;

const inBytes = ["memory", "ephemeral-storage"];

/** Matches most amounts cheaply, because Pods are created often. */
const wholeNumber = /^[0-9]+([EPTGMK]i|[EPTGMk])?$/;

/** Warns of amounts that are not whole numbers of bytes, such as `100m`, which was probably meant to be `100M`. */
export function fractionalBytes(
  amounts: Amounts | undefined,
  path: string,
  resources: readonly string[] = inBytes,
): readonly string[] {
  if (amounts === undefined) return [];
  return resources.flatMap((resource) => {
    const amount = amounts[resource] ?? 0;
    if (wholeNumber.test(String(amount))) return [];
    const quantity = parseQuantity(amount);
    if (quantity === undefined || isWhole(quantity)) return [];
    const text = JSON.stringify(canonicalQuantity(amount));
    return [`${path}[${resource}]: fractional byte value ${text} is invalid, must be an integer`];
  });
}

function envWarnings({ env = [] }: Sent<Container>, path: string): readonly string[] {
  const seen = new Set<string | undefined>();
  return env.flatMap((variable, index) => {
    const { name = "" } = variable;
    const isHidden = seen.has(name) && !extendsPrevious(variable);
    seen.add(name);
    const effect = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isHidden ? [`${path}.env[${index}]: ${effect}`] : [];
  });
}

/** Reports whether a variable extends its previous definition: `$(PATH):/more`. */
function extendsPrevious({ name = "", value = "", valueFrom }: Sent<EnvVar>): boolean {
  const reference = `$(${name})`;
  return valueFrom === undefined && value !== reference && value.includes(reference);
}
