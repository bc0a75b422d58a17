/** The paths of the webhook. */
export const paths = { sizes: "/replicasets", pods: "/pods", wishes: "/wishes" } as const;
