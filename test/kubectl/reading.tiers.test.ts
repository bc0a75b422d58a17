import { describeSessions } from "./describe-sessions.ts";
import { readingSessions } from "./reading.cases.ts";

describeSessions(readingSessions);
