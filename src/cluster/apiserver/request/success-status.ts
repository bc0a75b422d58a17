import type { ApiResponse } from "./api-response.ts";

/** The answer to a POST that makes something happen and has no object to show for it. */
export const successStatus: ApiResponse = {
  kind: "status",
  code: 201,
  status: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};
