// The page of a shared conversation.

import * as cards from "./cards.js";
import * as feedback from "./feedback.js";

cards.listen();
feedback.listen();
