/** A package that only those install who need it: an optional peer dependency. */
export interface OptionalPackage {
  readonly name: string;
  /** What needs it, as the beginning of a sentence: `the auth-provider oidc of the kubeconfig`. */
  readonly neededBy: string;
}

/** That an optional package is not installed, and the command that installs it. */
export class MissingPackageError extends Error {
  constructor({ name, neededBy }: OptionalPackage, cause: unknown) {
    super(`${neededBy} needs the package ${name}, which is not installed: npm install ${name}`, { cause });
    this.name = "MissingPackageError";
  }
}

/** Loads an optional package, or code that imports it; throws `MissingPackageError` if it is not installed. */
export async function loadOptional<T>(needed: OptionalPackage, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, needed) ? new MissingPackageError(needed, error) : error;
  }
}

/** A package that is there and lacks a file of its own, or another package, is broken, not missing. */
function isMissing(error: unknown, { name }: OptionalPackage): boolean {
  const isNotFound = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isNotFound && error.message.includes(`'${name}'`);
}
