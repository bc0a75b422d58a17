import { type Random, randomInt } from "../../src/machinery/random/random.ts";

/** The types of the expressions that are drawn. */
type Type = "bool" | "int" | "string" | "list";

/** How an expression of a type is made of others; `$int` and the like stand for any of that type. */
const forms: Readonly<Record<Type, readonly string[]>> = {
  bool: [
    "true",
    "has(self.a)",
    "has(self.l) || $bool",
    "$bool && $bool",
    "!($bool)",
    "($bool) ? ($bool) : ($bool)",
    "$int < $int",
    "$int == $int",
    "$int >= $int",
    "$string == $string",
    "$string < $string",
    "$string in $list",
    "$string.startsWith($string)",
    "$string.contains($string)",
    "$string.matches('^[a-c]+$')",
    "$list.all(x, x.size() > $int || x == $string)",
    "$list.exists(x, $string == x)",
    "$list.exists_one(x, x.endsWith($string))",
    "$list == $list",
    "$list.isSorted()",
    "self.p.all(x, !has(x.key) || x.key != $string)",
    "self.p.exists(x, x.values.size() > $int)",
    "sets.contains($list, $list)",
    "self.?m.hasValue()",
    "$list.all(i, x, i < $int || x != $string)",
    "optional.of($string).orValue('') == $string",
  ],
  int: [
    "0",
    "1",
    "-3",
    "9223372036854775807",
    "self.a",
    "self.b",
    "size($string)",
    "$list.size()",
    "$int + $int",
    "$int - $int",
    "$int * $int",
    "$int / $int",
    "$int % $int",
    "($bool ? $int : $int)",
    "$string.indexOf($string)",
    "$list.map(x, x.size()).sum()",
    "self.?b.orValue($int)",
    "int($string)",
    "self.p.map(x, x.values.size()).max()",
    "$list.indexOf($string)",
  ],
  string: [
    "''",
    "'a'",
    "'äb'",
    "'12'",
    "self.m",
    "self.n",
    "$string + $string",
    "$string.upperAscii()",
    "$string.trim()",
    "$string.substring($int)",
    "$string.charAt($int)",
    "$string.replace($string, $string)",
    "string($int)",
    "$list.join(',')",
    "$list[$int]",
    "($bool ? $string : $string)",
    "self.?m.orValue($string)",
    "self.p[0].key",
    "'%s-%d'.format([$string, $int])",
    "type($int) == int ? $string : 'no'",
    "$string.find('[a-z]')",
  ],
  list: [
    "[]",
    "['a', 'b']",
    "self.l",
    "[$string, $string]",
    "$list + $list",
    "$list.filter(x, x != $string)",
    "$list.map(x, x + $string)",
    "$list.map(x, x != $string, x.lowerAscii())",
    "$string.split($string)",
    "self.p.map(x, x.operator)",
    "$list.distinct()",
    "$list.sort()",
    "$list.reverse()",
    "$list.slice(0, $int)",
    "[[$string], $list].flatten()",
  ],
};

/** Draws an expression that is a rule: a few levels of forms, and seldom one of another type than is wanted. */
export function randomRule(random: Random): string {
  return expression(random, "bool", 3);
}

function expression(random: Random, type: Type, depth: number): string {
  const wanted = random.next() < 0.004 ? (["int", "string"] as const)[randomInt(random, 2)] : undefined;
  const drawn = forms[wanted ?? type];
  // The first forms of a type are made of nothing else.
  const form = depth === 0 ? plain(drawn, random) : (drawn[randomInt(random, drawn.length)] ?? "true");
  const made = form.replaceAll(/\$(bool|int|string|list)/g, (_, inner: Type) =>
    expression(random, inner, Math.max(0, depth - 1)),
  );
  return form.includes(" ") && !form.startsWith("(") && depth < 3 ? `(${made})` : made;
}

function plain(drawn: readonly string[], random: Random): string {
  const leaves = drawn.filter((form) => !form.includes("$"));
  return leaves[randomInt(random, leaves.length)] ?? "true";
}
