// The extension's entry: hands Pi to the wiring, nothing else.

import { fileURLToPath } from "node:url";
import { extensionAt } from "./pi/code-form.ts";

export default extensionAt(fileURLToPath(new URL("..", import.meta.url)));
