// The page of a shared conversation.

import * as feedback from "./feedback.js";

feedback.listen();
