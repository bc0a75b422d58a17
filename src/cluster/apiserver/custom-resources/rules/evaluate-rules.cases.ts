/** A rule on the object of the test, and what kube-apiserver 1.36 says of it. */
export interface RuleRow {
  readonly rule: string;
  /** The most that it is estimated to cost, if it compiles. */
  readonly estimate?: number;
  /** Why it does not compile. */
  readonly refused?: string;
  /** The error that it reports on the object; absent if it holds. */
  readonly found?: string;
}

export const rows: readonly RuleRow[] = [
  { rule: "self == oldSelf", estimate: 2, found: "spec: Invalid value: failed rule: self == oldSelf" },
  {
    rule: "self.n == oldSelf.n",
    estimate: 4,
    found: "spec: Invalid value: failed rule: self.n == oldSelf.n",
  },
  { rule: "self.s != 'x'", estimate: 3 },
  {
    rule: "self.s in ['a','b']",
    estimate: 14,
    found: "spec: Invalid value: failed rule: self.s in ['a','b']",
  },
  { rule: "self.o.all(x, !has(x.op) || x.op in ['In','E'])", estimate: 193 },
  {
    rule: "self.o.all(x, x.op in ['In'])",
    estimate: 163,
    found: "spec: Invalid value: failed rule: self.o.all(x, x.op in ['In'])",
  },
  {
    rule: "self.o.all(x, has(x.op) ? x.op == 'In' : true)",
    estimate: 73,
    found: "spec: Invalid value: failed rule: self.o.all(x, has(x.op) ? x.op == 'In' : true)",
  },
  { rule: "self.o.all(x, !has(x.values) ? x.op == 'E' : true)", estimate: 83 },
  { rule: "self.o.all(x, x.op == 'In' ? x.values.size() != 0 : true)", estimate: 103 },
  { rule: "self.o.all(x, x.op == 'In' ? int(x.values[0]) >= 0 : true)", estimate: 113 },
  {
    rule: "!(has(self.s) && self.s == 'abc' && has(self.n))",
    estimate: 6,
    found: "spec: Invalid value: failed rule: !(has(self.s) && self.s == 'abc' && has(self.n))",
  },
  {
    rule: "!(self.s != 'R' && has(self.u))",
    estimate: 5,
    found: "spec: Invalid value: failed rule: !(self.s != 'R' && has(self.u))",
  },
  { rule: "!has(self.nl) || has(self.n)", estimate: 3 },
  {
    rule: "!(has(self.s) && has(self.u))",
    estimate: 3,
    found: "spec: Invalid value: failed rule: !(has(self.s) && has(self.u))",
  },
  { rule: "(has(self.s) && has(self.nl)) || has(self.u)", estimate: 3 },
  {
    rule: "!((has(self.nl) || has(self.s)) && has(self.u))",
    estimate: 4,
    found: "spec: Invalid value: failed rule: !((has(self.nl) || has(self.s)) && has(self.u))",
  },
  { rule: "has(self.nl) != has(self.n)", estimate: 3 },
  { rule: "has(self.n) == has(oldSelf.n)", estimate: 3 },
  { rule: "self.o.all(x, has(x.op) == has(x.values))", estimate: 63 },
  { rule: "[has(self.n),has(self.nl)].filter(x, x).size() <= 1", estimate: 53 },
  {
    rule: "(has(self.n) ? 1 : 0) + (has(self.s) ? 1 : 0) == 1",
    estimate: 4,
    found: "spec: Invalid value: failed rule: (has(self.n) ? 1 : 0) + (has(self.s) ? 1 : 0) == 1",
  },
  { rule: "has(self.n) ? self.n <= 100 : true", estimate: 4 },
  {
    rule: "!has(self.n) || self.n <= (has(self.f) ? 2 : 100)",
    estimate: 6,
    found: "spec: Invalid value: failed rule: !has(self.n) || self.n <= (has(self.f) ? 2 : 100)",
  },
  {
    rule: "self.o.all(x, size(x.values) == size(self.l))",
    estimate: 103,
    found: "spec: Invalid value: failed rule: self.o.all(x, size(x.values) == size(self.l))",
  },
  {
    rule: "self.o[size(self.o) - 1].op == 'x'",
    estimate: 9,
    found: "spec: Invalid value: failed rule: self.o[size(self.o) - 1].op == 'x'",
  },
  {
    rule: "!has(oldSelf.n) || (has(self.n) && self.n == oldSelf.n)",
    estimate: 7,
    found: "spec: Invalid value: failed rule: !has(oldSelf.n) || (has(self.n) && self.n == oldSelf.n)",
  },
  {
    rule: "has(oldSelf.ml) && oldSelf.ml.exists(c, c.k == 'a' && c.v == 1) ? self.n == oldSelf.n : true",
    estimate: 2831156,
    found:
      "spec: Invalid value: failed rule: has(oldSelf.ml) && oldSelf.ml.exists(c, c.k == 'a' && c.v == 1) ? self.n == oldSelf.n : true",
  },
  {
    rule: "self.m.all(k, k != 'a')",
    estimate: 1572863,
    found: "spec: Invalid value: failed rule: self.m.all(k, k != 'a')",
  },
  {
    rule: 'self.s in [\'q\'] || !self.s.find("^([^/]+)").endsWith("c")',
    estimate: 27,
    found: 'spec: Invalid value: failed rule: self.s in [\'q\'] || !self.s.find("^([^/]+)").endsWith("c")',
  },
  {
    rule: "size(self.m) == 1 && 'n' in self.m",
    estimate: 7,
    found: "spec: Invalid value: failed rule: size(self.m) == 1 && 'n' in self.m",
  },
  { rule: "(has(self.n) ? self.n : 1) >= self.l.size()", estimate: 7 },
  {
    rule: "self.o.filter(x, x.op == 'In').all(x, x.values == ['1']) || self.o.filter(x, x.op == 'E').all(x, x.op == 'z')",
    estimate: 568,
  },
  { rule: "self.set == oldSelf.set", estimate: 104862 },
  { rule: "self.ml == oldSelf.ml", estimate: 31462 },
  { rule: "self.n > self.f", estimate: 5 },
  {
    rule: "self.n == self.f",
    refused:
      "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, double)'\n | self.n == self.f\n | .......^",
  },
  {
    rule: "self.foo == 1",
    refused: "compilation failed: ERROR: <input>:1:5: undefined field 'foo'\n | self.foo == 1\n | ....^",
  },
  {
    rule: "self.n == 'x'",
    refused:
      "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, string)'\n | self.n == 'x'\n | .......^",
  },
  {
    rule: "[].slice(0, 0).all(x, x.size() > 0 || x == 'a')",
    refused:
      "compilation failed: ERROR: <input>:1:41: found no matching overload for '_==_' applied to '(bytes, string)'\n | [].slice(0, 0).all(x, x.size() > 0 || x == 'a')\n | ........................................^",
  },
  { rule: "self.n", refused: "cel expression must evaluate to a bool" },
  {
    rule: "self.n +",
    refused:
      "compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.n +\n | ........^",
  },
  {
    rule: "(self.n == 1",
    refused:
      "compilation failed: ERROR: <input>:1:13: Syntax error: missing ')' at '<EOF>'\n | (self.n == 1\n | ............^",
  },
  {
    rule: "[1,2",
    refused:
      "compilation failed: ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n | [1,2\n | ....^",
  },
  {
    rule: "self.l[",
    refused:
      "compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.l[\n | .......^",
  },
  {
    rule: "self.l.all(x.y, true)",
    refused:
      "compilation failed: ERROR: <input>:1:13: argument must be a simple name\n | self.l.all(x.y, true)\n | ............^",
  },
  {
    rule: "has(self)",
    refused:
      "compilation failed: ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^",
  },
  {
    rule: "has(self.nl) && self.nl == 'x'",
    estimate: 4,
    found: "spec: Invalid value: failed rule: has(self.nl) && self.nl == 'x'",
  },
  { rule: "self.ul.exists_one(x, x == 'y')", estimate: 4194304 },
  {
    rule: "self.ul.map(x, x + 'z').size() == 2",
    estimate: 329867014965,
    found: "spec: Invalid value: failed rule: self.ul.map(x, x + 'z').size() == 2",
  },
  { rule: "self.l.map(x, x == 'a', x + 'y') == ['ay']", estimate: 114 },
  {
    rule: "self.l[9223372036854775807] == 'a'",
    estimate: 4,
    found:
      "spec: Invalid value: \"object\": index out of bounds: 9223372036854775807 evaluating rule: self.l[9223372036854775807] == 'a'",
  },
  {
    rule: "self.o[5].op == 'E'",
    estimate: 5,
    found: "spec: Invalid value: \"object\": index out of bounds: 5 evaluating rule: self.o[5].op == 'E'",
  },
  {
    rule: "self.l[-1] == 'a'",
    estimate: 4,
    found: "spec: Invalid value: \"object\": index out of bounds: -1 evaluating rule: self.l[-1] == 'a'",
  },
  {
    rule: "self.m['q'] == 'x'",
    estimate: 4,
    found: "spec: Invalid value: \"object\": no such key: q evaluating rule: self.m['q'] == 'x'",
  },
  {
    rule: "self.mm.exists(k, v, v == 3)",
    estimate: 23,
    found: "spec: Invalid value: failed rule: self.mm.exists(k, v, v == 3)",
  },
  {
    rule: "self.mm.transformMap(k, v, v + 1)['z'] == 3",
    estimate: 54,
    found: "spec: Invalid value: failed rule: self.mm.transformMap(k, v, v + 1)['z'] == 3",
  },
  {
    rule: "self.p > 5",
    estimate: 3,
    found:
      "spec: Invalid value: \"object\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.p > 5",
  },
  {
    rule: "type(self.p) == int",
    estimate: 4,
    found: "spec: Invalid value: failed rule: type(self.p) == int",
  },
  { rule: "int(self.p) == 6", estimate: 4, found: "spec: Invalid value: failed rule: int(self.p) == 6" },
  {
    rule: "self.d > duration('2h')",
    estimate: 4,
    found: "spec: Invalid value: failed rule: self.d > duration('2h')",
  },
  {
    rule: "duration('x') == self.d",
    refused:
      "compilation failed: ERROR: <input>:1:10: invalid duration argument\n | duration('x') == self.d\n | .........^",
  },
  {
    rule: "self.t.getHours('+02:00') == 6",
    estimate: 4,
    found: "spec: Invalid value: failed rule: self.t.getHours('+02:00') == 6",
  },
  {
    rule: "timestamp('x') == self.t",
    refused:
      "compilation failed: ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('x') == self.t\n | ..........^",
  },
  {
    rule: "string(self.by) == 'hell'",
    estimate: 314576,
    found: "spec: Invalid value: failed rule: string(self.by) == 'hell'",
  },
  {
    rule: "self.__namespace__ == 'ns' && self.a__dot__b == 'x'",
    estimate: 6,
    found: "spec: Invalid value: failed rule: self.__namespace__ == 'ns' && self.a__dot__b == 'x'",
  },
  {
    rule: "self.s.matches('(')",
    refused:
      "compilation failed: ERROR: <input>:1:16: invalid matches argument\n | self.s.matches('(')\n | ...............^",
  },
  {
    rule: "self.u.matches('^h.*') && self.u.findAll('l') == ['l']",
    estimate: 629161,
    found: "spec: Invalid value: failed rule: self.u.matches('^h.*') && self.u.findAll('l') == ['l']",
  },
  {
    rule: "self.u.substring(1, 3) == 'el' && self.u.indexOf('l') == 3",
    estimate: 629152,
    found: "spec: Invalid value: failed rule: self.u.substring(1, 3) == 'el' && self.u.indexOf('l') == 3",
  },
  {
    rule: "self.u.split('l') == ['he','']",
    estimate: 629159,
    found: "spec: Invalid value: failed rule: self.u.split('l') == ['he','']",
  },
  {
    rule: "self.ul.join(',') == 'x'",
    estimate: 329853068906,
    found: "spec: Invalid value: failed rule: self.ul.join(',') == 'x'",
  },
  {
    rule: "'%s-%d %.2f'.format(['a', 3, 1234.5]) == 'a'",
    estimate: 12,
    found: "spec: Invalid value: failed rule: '%s-%d %.2f'.format(['a', 3, 1234.5]) == 'a'",
  },
  {
    rule: "[1, 'a'].size() == 2",
    refused:
      "compilation failed: ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a'].size() == 2\n | ....^",
  },
  {
    rule: "self.ul.isSorted()",
    estimate: 329854432052,
    found: "spec: Invalid value: failed rule: self.ul.isSorted()",
  },
  {
    rule: "[3,1,2].sort() == [1,2]",
    estimate: 50,
    found: "spec: Invalid value: failed rule: [3,1,2].sort() == [1,2]",
  },
  {
    rule: "self.o.sortBy(x, x.op)[0].op == 'In'",
    estimate: 389,
    found: "spec: Invalid value: failed rule: self.o.sortBy(x, x.op)[0].op == 'In'",
  },
  {
    rule: "sets.contains(self.ul, ['z'])",
    estimate: 1048588,
    found: "spec: Invalid value: failed rule: sets.contains(self.ul, ['z'])",
  },
  {
    rule: "url('https://a.com:80/b?c=d').getHost() == 'a.com'",
    estimate: 5,
    found: "spec: Invalid value: failed rule: url('https://a.com:80/b?c=d').getHost() == 'a.com'",
  },
  {
    rule: "quantity('1Gi').isLessThan(quantity('1G'))",
    estimate: 3,
    found: "spec: Invalid value: failed rule: quantity('1Gi').isLessThan(quantity('1G'))",
  },
  {
    rule: "quantity('2').add(3) == quantity('6')",
    estimate: 4,
    found: "spec: Invalid value: failed rule: quantity('2').add(3) == quantity('6')",
  },
  {
    rule: "ip('127.0.0.1').isLoopback() && ip('::1').family() == 4",
    estimate: 5,
    found: "spec: Invalid value: failed rule: ip('127.0.0.1').isLoopback() && ip('::1').family() == 4",
  },
  {
    rule: "cidr('10.0.0.0/8').containsIP('11.1.2.3')",
    estimate: 6,
    found: "spec: Invalid value: failed rule: cidr('10.0.0.0/8').containsIP('11.1.2.3')",
  },
  {
    rule: "semver('1.2.3').isGreaterThan(semver('1.10.0'))",
    estimate: 3,
    found: "spec: Invalid value: failed rule: semver('1.2.3').isGreaterThan(semver('1.10.0'))",
  },
  {
    rule: "format.dns1123Label().validate('abc').hasValue()",
    estimate: 34,
    found: "spec: Invalid value: failed rule: format.dns1123Label().validate('abc').hasValue()",
  },
  {
    rule: "self.?n.optMap(x, x + 1).value() == 5",
    estimate: 21,
    found: "spec: Invalid value: failed rule: self.?n.optMap(x, x + 1).value() == 5",
  },
  {
    rule: "optional.none().value() == 1",
    estimate: 3,
    found:
      'spec: Invalid value: "object": optional.none() dereference evaluating rule: optional.none().value() == 1',
  },
  {
    rule: "1 / 0 == 1",
    estimate: 2,
    found: 'spec: Invalid value: "object": division by zero evaluating rule: 1 / 0 == 1',
  },
  {
    rule: "9223372036854775807 + 1 == 0",
    estimate: 2,
    found: 'spec: Invalid value: "object": integer overflow evaluating rule: 9223372036854775807 + 1 == 0',
  },
  {
    rule: "9223372036854775808 == self.n",
    refused:
      "compilation failed: ERROR: <input>:1:1: invalid int literal\n | 9223372036854775808 == self.n\n | ^",
  },
  { rule: "1 < 2.5 && 2u > 3", estimate: 2, found: "spec: Invalid value: failed rule: 1 < 2.5 && 2u > 3" },
  {
    rule: "self.n =! 1",
    refused:
      "compilation failed: ERROR: <input>:1:8: Syntax error: token recognition error at: '=!'\n | self.n =! 1\n | .......^\nERROR: <input>:1:11: Syntax error: extraneous input '1' expecting <EOF>\n | self.n =! 1\n | ..........^",
  },
  {
    rule: "foo(self.n)",
    refused:
      "compilation failed: ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(self.n)\n | ...^",
  },
  {
    rule: "self.n.foo == 1",
    refused:
      "compilation failed: ERROR: <input>:1:7: type 'int' does not support field selection\n | self.n.foo == 1\n | ......^",
  },
  {
    rule: "self.n.all(x, true)",
    refused:
      "compilation failed: ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.n.all(x, true)\n | ....^",
  },
  {
    rule: "x == 1",
    refused:
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x == 1\n | ^",
  },
  {
    rule: "true && self.n",
    refused:
      "compilation failed: ERROR: <input>:1:13: expected type 'bool' but found 'int'\n | true && self.n\n | ............^",
  },
  {
    rule: "int('x') == 1",
    refused: "program instantiation failed: type conversion error from 'string' to 'int'",
  },
  {
    rule: "self.if == 1",
    refused: "compilation failed: ERROR: <input>:1:5: undefined field 'if'\n | self.if == 1\n | ....^",
  },
  {
    rule: "self.metadata == 1",
    refused:
      "compilation failed: ERROR: <input>:1:5: undefined field 'metadata'\n | self.metadata == 1\n | ....^",
  },
  {
    rule: "self.u.replace('', self.u) == 'x'",
    estimate: 629151,
    found: "spec: Invalid value: failed rule: self.u.replace('', self.u) == 'x'",
  },
  {
    rule: "cel.bind(x, self.n, x + 1 == 4)",
    refused:
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'cel' (in container '')\n | cel.bind(x, self.n, x + 1 == 4)\n | ^\nERROR: <input>:1:9: undeclared reference to 'bind' (in container '')\n | cel.bind(x, self.n, x + 1 == 4)\n | ........^\nERROR: <input>:1:10: undeclared reference to 'x' (in container '')\n | cel.bind(x, self.n, x + 1 == 4)\n | .........^\nERROR: <input>:1:21: undeclared reference to 'x' (in container '')\n | cel.bind(x, self.n, x + 1 == 4)\n | ....................^",
  },
];
