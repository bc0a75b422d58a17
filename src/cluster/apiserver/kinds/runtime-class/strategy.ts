import { invalid, required } from "../../../../api/field-error.ts";
import type { RuntimeClass } from "../../../../api/generated/node-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { type FieldErrors, immutable } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateAmount } from "../pod-spec/validation/resources.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of RuntimeClasses. */
export const runtimeClassStrategy: KindStrategy<Sent<RuntimeClass>> = {
  validate({ handler = "", overhead = {} }) {
    return [
      ...validateHandler(handler),
      ...Object.entries(overhead.podFixed ?? {}).flatMap(([name, amount]) =>
        validateAmount(name, parseQuantity(amount) ?? zero, `overhead.podFixed.limits[${name}]`),
      ),
    ];
  },
  validateUpdate: ({ next, previous }) => immutable(next.handler, previous.handler, "handler"),
  unconditionalUpdate: true,
};

function validateHandler(handler: string): FieldErrors {
  if (handler === "") return [required("handler")];
  return dns1123LabelProblems(handler).map((problem) => invalid("handler", handler, problem));
}
