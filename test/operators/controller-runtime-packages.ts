/** A package of controller-runtime whose tests start envtest. */
export interface SuitePackage {
  readonly name: string;
  /** Go tests that are left out, as `-test.skip` names them, and why. */
  readonly skipped?: Readonly<Record<string, string>>;
}

const withoutAggregatedDiscovery = "^Test/^aggregatedDiscovery=false$";

/** The packages that every run of the full tier has. */
export const essentialPackages: readonly SuitePackage[] = [
  { name: "envtest" },
  { name: "client" },
  { name: "cache" },
  { name: "webhook" },
];

/** The others, which `npm run test:operators` runs too. */
export const otherPackages: readonly SuitePackage[] = [
  { name: "manager" },
  { name: "manager/internal/integration" },
  { name: "builder" },
  { name: "source" },
  { name: "handler" },
  { name: "controller" },
  { name: "controller/controllerutil" },
  { name: "cluster" },
  {
    name: "client/apiutil",
    skipped: { [withoutAggregatedDiscovery]: "downloads a kube-apiserver 1.28 of its own" },
  },
  { name: "reconcile" },
  { name: "metrics/filters" },
  { name: "internal/controller" },
  { name: "internal/recorder" },
  { name: "webhook/conversion" },
];
