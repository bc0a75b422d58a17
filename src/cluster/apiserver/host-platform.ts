/** Go's names of the processor architectures, which `/version` uses. */
const goArchitectures: ReadonlyMap<string, string> = new Map([
  ["x64", "amd64"],
  ["ia32", "386"],
]);

/** The platform of this program, as `/version` shows it. */
export function hostPlatform(): string {
  return `${process.platform}/${goArchitectures.get(process.arch) ?? process.arch}`;
}
