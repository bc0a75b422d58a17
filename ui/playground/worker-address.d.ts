/** Where the worker's script is, which only the build knows. */
declare module "virtual:worker-address" {
  export const workerAddress: string;
}
