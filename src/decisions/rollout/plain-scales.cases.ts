/** Without a policy: sizes from the youngest ReplicaSet on, the first of which is the new one. */
export const plainScales: readonly {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly surge?: number;
  readonly surgeBefore?: number;
  readonly sizes: readonly number[];
  readonly want: readonly number[];
}[] = [
  { name: "doubles two", from: 5, to: 10, sizes: [2, 3], want: [4, 6] },
  { name: "shrinks two", from: 5, to: 3, sizes: [2, 3], want: [1, 2] },
  { name: "takes the last Pod of a small one", from: 9, to: 4, sizes: [8, 1], want: [4, 0] },
  { name: "grows three", from: 7, to: 10, sizes: [2, 3, 2], want: [3, 4, 3] },
  { name: "shrinks three", from: 13, to: 8, sizes: [2, 8, 3], want: [1, 5, 2] },
  { name: "gives one to the youngest of equals", from: 3, to: 4, sizes: [1, 1, 1], want: [2, 1, 1] },
  { name: "takes one from the oldest of equals", from: 3, to: 2, sizes: [1, 1, 1], want: [1, 1, 0] },
  { name: "grows the younger of two equals", from: 4, to: 5, sizes: [2, 2], want: [3, 2] },
  { name: "takes everything", from: 6, to: 0, sizes: [3, 2, 1], want: [0, 0, 0] },
  { name: "fills the surge, too", from: 10, to: 20, surge: 2, surgeBefore: 2, sizes: [6, 6], want: [11, 11] },
  {
    name: "follows surge and size together",
    from: 10,
    to: 50,
    surge: 6,
    surgeBefore: 3,
    sizes: [5, 8],
    want: [22, 34],
  },
  { name: "scales before it rolls out", from: 10, to: 14, sizes: [7, 3], want: [10, 4] },
  { name: "triples with surge", from: 10, to: 30, surge: 3, surgeBefore: 3, sizes: [5, 8], want: [13, 20] },
  {
    name: "is the proposal's first table, first scale",
    from: 100,
    to: 120,
    surge: 10,
    surgeBefore: 10,
    sizes: [60, 30, 20],
    want: [71, 35, 24],
  },
  {
    name: "is the proposal's first table, second scale",
    from: 120,
    to: 130,
    surge: 10,
    surgeBefore: 10,
    sizes: [71, 35, 24],
    want: [76, 38, 26],
  },
];
