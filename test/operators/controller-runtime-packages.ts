/** A package of controller-runtime whose tests start envtest. */
export interface SuitePackage {
  readonly name: string;
  /** Parts of the names of tests that are left out, and why. */
  readonly skipped?: Readonly<Record<string, string>>;
}

/** Certificates are not issued here, so the kind is not served. */
const noSigningRequests = { "approve CSRs": "CertificateSigningRequests are not served" };

/** The packages that every run of the full tier has. */
export const essentialPackages: readonly SuitePackage[] = [
  { name: "envtest" },
  { name: "client", skipped: noSigningRequests },
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
  { name: "reconcile" },
  { name: "metrics/filters" },
  { name: "internal/controller" },
  { name: "internal/recorder" },
  { name: "webhook/conversion" },
];
