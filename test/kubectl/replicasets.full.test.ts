import { findKubectls } from "./kubectls.ts";
import { describeSessions } from "./kubectl-sessions.contract.ts";
import { replicaSetSessions } from "./sessions/replicasets.cases.ts";

describeSessions(replicaSetSessions, findKubectls());
