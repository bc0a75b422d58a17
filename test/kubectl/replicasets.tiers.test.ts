import { describeSessions } from "./describe-sessions.ts";
import { replicaSetSessions } from "./replicasets.cases.ts";

describeSessions(replicaSetSessions);
