/** A comparison such as `> 0`: a Pod whose number it holds for may not be removed now. */
export interface ProtectRule {
  readonly operator: keyof typeof comparisons;
  readonly limit: number;
}

const comparisons = {
  ">=": (number: number, limit: number) => number >= limit,
  "<=": (number: number, limit: number) => number <= limit,
  "==": (number: number, limit: number) => number === limit,
  "!=": (number: number, limit: number) => number !== limit,
  ">": (number: number, limit: number) => number > limit,
  "<": (number: number, limit: number) => number < limit,
} as const;

const form = /^\s*(?<operator>>=|<=|==|!=|>|<)\s*(?<limit>[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?)\s*$/;

/** Parses a comparison; `undefined` if it is none. */
export function parseProtectRule(text: string): ProtectRule | undefined {
  const { operator, limit } = form.exec(text)?.groups ?? {};
  if (operator === undefined || limit === undefined) return undefined;
  return { operator: operator as ProtectRule["operator"], limit: Number(limit) };
}

/** Whether the rule holds for a number. */
export function ruleProtects({ operator, limit }: ProtectRule, number: number): boolean {
  return comparisons[operator](number, limit);
}
