/** The library of gRPC; the program `trimtab` has it in its bundle, and other programs install it if they need it. */
export const grpcPackage = { name: "@grpc/grpc-js" } as const;
