// The extension's entry: hands Pi to the wiring, nothing else.

import { wire } from "./pi/wire.ts";

export default wire;
